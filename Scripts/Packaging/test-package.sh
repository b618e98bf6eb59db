#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# test-package.sh [DEB]: builds the Debian package, or takes one, and tries it as a user would, in a fresh Debian 12 without Swift: install,
# run, man page, completion in three shells, uninstall. A package for another processor runs in qemu (Debian: qemu-user-static, binfmt-support).
# Then the SDK, in the same system with this machine's Swift: the commands of the page “On a machine without a Mac”, with their times.
# Exits with 75 where such a system cannot be made (no root rights, no debootstrap, no network).
set -euo pipefail
cd "$(dirname "$0")/../.."
. Scripts/Packaging/project.env
folder=.build-release/package-test
root=$PWD/$folder/root

skip() {
  echo "SKIPPED: $1"
  exit 75
}
[ "$(id -u)" -eq 0 ] || skip "a fresh Debian needs root rights (debootstrap, chroot)."
if ! command -v debootstrap >/dev/null; then
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends debootstrap; } >/dev/null 2>&1 ||
    skip "debootstrap is missing and cannot be installed."
fi

deb=${1:-}
if [ -z "$deb" ]; then
  Scripts/Packaging/release.sh --program-only "$folder/artifacts"
  deb=$(echo "$folder"/artifacts/*.deb)
fi

architecture=$(dpkg-deb --field "$deb" Architecture)
echo "== A fresh Debian 12, $architecture =="
rm -rf "$root"
mkdir -p "$folder"
log=$folder/debootstrap.log
debootstrap --arch="$architecture" --variant=minbase --include=man-db,bash-completion,zsh,fish bookworm "$root" >"$log" 2>&1 || {
  tail -n 3 "$log"
  skip "debootstrap failed (see above)."
}
failed=0
enter=there
# Runs a command there, with a /proc of its own, where Swift finds a program's arguments.
there() { unshare --mount --pid --fork --mount-proc="$root/proc" chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root TERM=dumb "$@"; }
# Says whether the output of a command there has a line like an expression.
expect() {
  local name=$1 expression=$2 text
  shift 2
  text=$("$enter" "$@" 2>&1) || true
  if grep -qE -- "$expression" <<<"$text"; then
    echo "ok      $name"
  else
    echo "FAILED  $name: no line like /$expression/ in:"
    head -n 20 <<<"$text" | sed 's/^/    | /'
    failed=1
  fi
}
# All that a package can leave behind. Caches, the lists of dpkg and apt, and backups of the list of groups are not the package's.
everything() {
  (cd "$root" && find . -xdev \( -path ./var/cache -o -path ./var/lib/dpkg -o -path ./var/lib/apt -o -path ./var/log -o -path ./root \
    -o -path './etc/*-' \) -prune -o -print | LC_ALL=C sort)
  # The group of the rule stays: what belongs to it must not belong to another one later.
  grep -hv '^iio:' "$root"/etc/{passwd,group}
}

cp "$deb" "$root/motionctl.deb"
everything >"$folder/before"
there true || skip "the fresh Debian cannot be entered (unshare, chroot)."
if there sh -c 'command -v swift'; then
  echo "FAILED  the fresh system has Swift"
  failed=1
fi
expect "installs with apt-get, nothing but its dependencies" '^Setting up motionctl ' \
  env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends /motionctl.deb
expect "motionctl --version" "^motionctl $VERSION\$" motionctl --version
expect "motionctl stream simulate:handheld --for 1" ': [1-9][0-9]* samples' motionctl stream simulate:handheld --for 1
expect "a picture" '^<svg' sh -c 'motionctl plot simulate:handheld --for 2 -o /var/cache/a.svg && head -1 /var/cache/a.svg'
expect "man motionctl" 'MOTIONCTL\(1\)' man -P cat motionctl
expect "man motionctl-stream" 'simulate:handheld --for 5' man -P cat motionctl-stream
expect "apropos finds it" '^motionctl-plot' sh -c 'mandb --quiet; apropos motionctl'
# shellcheck disable=SC2016 # the shells of the test expand it
expect "completion in bash" '^stream$' bash -c '
  . /usr/share/bash-completion/bash_completion; _completion_loader motionctl
  COMP_WORDS=(motionctl str); COMP_CWORD=1; COMP_LINE="motionctl str"; COMP_POINT=13; COMP_TYPE=9
  function_name=$(complete -p motionctl | sed "s/.*-F \([^ ]*\).*/\1/"); "$function_name" motionctl str motionctl
  printf "%s\n" "${COMPREPLY[@]}" | sed "s/ *$//"'
# shellcheck disable=SC2016
expect "completion in zsh" '^_motionctl$' zsh -fc 'autoload -Uz compinit; compinit -u -D; print $_comps[motionctl]; autoload +X _motionctl'
expect "completion in fish" '^stream' fish -c 'complete -C "motionctl str"'
expect "udev rule" 'SUBSYSTEM=="iio".*in_accel' cat /usr/lib/udev/rules.d/60-opencoremotion.rules
expect "unit of the recorder" "^ExecStart=motionctl history record" cat /usr/lib/systemd/user/opencoremotion-recorder.service
expect "group iio" '^iio:' getent group iio
expect "uninstalls" '^Removing motionctl ' env DEBIAN_FRONTEND=noninteractive apt-get purge --yes motionctl
expect "the group stays" '^iio:' getent group iio
there env DEBIAN_FRONTEND=noninteractive apt-get autoremove --purge --yes >/dev/null 2>&1
everything >"$folder/after"
if diff "$folder/before" "$folder/after"; then
  echo "ok      uninstalling leaves nothing"
else
  echo "FAILED  uninstalling leaves these (above)"
  failed=1
fi
[ "$architecture" = "$(dpkg --print-architecture)" ] || exit "$failed"

echo "== The SDK, there with Swift =="
Scripts/Packaging/sdk.sh "$folder/artifacts" >"$folder/sdk.log" 2>&1 || { tail "$folder/sdk.log"; exit 1; }
# What Swift needs, of the list of its own images (github.com/swiftlang/swift-docker, 6.3/debian/12). The toolchain appears there for the
# time of a command, so that removing the system cannot reach it.
there env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends binutils gcc libc6-dev libcurl4 libedit2 libncurses6 \
  libpython3-dev libsqlite3-0 libstdc++-12-dev libxml2 tzdata >"$log" 2>&1 || { tail -n 3 "$log"; exit 1; }
mkdir -p "$root"/opt/swift "$root"/work/{App,App-of-many-files,Package/Tests/ShakeTests}
ln -s /opt/swift/bin/swift /opt/swift/bin/swiftc "$root/usr/local/bin/"
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
with_swift() {
  # shellcheck disable=SC2016 # that shell expands them
  unshare --mount --pid --fork --mount-proc="$root/proc" sh -c 'mount --bind "$0" "$1/opt/swift" && exec chroot "$@"' "$toolchain" "$root" \
    env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root DEBIAN_FRONTEND=noninteractive sh -c "cd /work && $1"
}
enter=with_swift
# within SECONDS COMMAND: runs it, prints its time, and bounds it.
within() {
  local begun=$EPOCHREALTIME status=0
  with_swift "$2" >"$log" 2>&1 || status=$?
  awk -v begun="$begun" -v ended="$EPOCHREALTIME" -v limit="$1" -v status="$status" -v command="$2" 'BEGIN {
    seconds = ended - begun; wrong = status || seconds > limit
    printf "%s  %.1f s, at most %d: %s\n", wrong ? "FAILED" : "ok    ", seconds, limit, command
    exit wrong }' && return
  failed=1
  tail -n 20 "$log" | sed 's/^/    | /'
}
cp "$folder"/artifacts/opencoremotion-sdk* "$root/work/"
cp -r Examples Tests/Fixtures "$root/work/App-of-many-files"
cp -r Examples "$root/work/App-of-many-files/Again"
# README's program, and the test of the page.
blocks() { sed -n "/^\`\`\`$2\$/,/^\`\`\`\$/{/^\`\`\`/!p}" "$1"; }
blocks README.md swift | sed -n '/^import CoreMotion/,$p' >"$root/work/App/main.swift"
page=Sources/CoreMotion/CoreMotion.docc/WithoutAMac.md
blocks "$page" swift >"$root/work/Package/Tests/ShakeTests/ShakeTests.swift"
printf '// swift-tools-version:6.1\nimport PackageDescription\nlet package = Package(name: "Mine", targets: [.testTarget(name: "ShakeTests")])\n' \
  >"$root/work/Package/Package.swift"
while IFS= read -r command; do
  case $command in
  apt-get*) within 15 "$command" ;;
  *-typecheck*) within 1 "$command" ;;
  *) within 60 "$command" ;;
  esac
done < <(blocks "$page" sh | grep -v '^#')
response=/usr/lib/opencoremotion-sdk/coremotion.rsp
within 5 "swiftc @$response App/main.swift -o first && MOTION_SOURCE=simulate:walk stdbuf -oL ./first | head -n 1 | grep pitch"
within 60 "coremotion-check App-of-many-files >counts || [ \$? -eq 1 ]"
expect "a check of more than 102 files" '^1[1-9][0-9] files import Core Motion: [1-9]' "tail -n 1 counts"
expect "the place of an error that names a type" '^  Wrong/a.swift:2:20: .*CMAttitude' \
  "mkdir Wrong; printf 'import CoreMotion\\nlet a = CMAttitude.heat\\n' >Wrong/a.swift; coremotion-check Wrong || [ \$? -eq 1 ]"
expect "a folder without Core Motion" '^No Swift file in Package/Sources imports' "mkdir -p Package/Sources; coremotion-check Package/Sources"
within 15 "mkdir 'my tools' && tar -xzf opencoremotion-sdk-*.tar.gz -C 'my tools' && 'my tools'/opencoremotion-sdk-*/setup"
within 15 "mv 'my tools'/* moved && moved/setup && swiftc @moved/coremotion.rsp App/main.swift -o second && moved/coremotion-check App"
expect "modules that the compiler cannot read" '^These modules are made by “Swift version' ": >moved/modules/CoreMotion.swiftmodule; moved/coremotion-check App"
within 15 "apt-get purge --yes opencoremotion-sdk && test ! -e /usr/lib/opencoremotion-sdk"
rm -rf "$root"
exit "$failed"
