#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Asks our module every statement that a simulated device can answer, each group on a device that suits it, and the tests of the checks
# themselves. Fails when an answer differs, when a run fails, or when fewer than ANSWERED statements are answered.
# The runs wait most of the time, so several go side by side (RUNS_AT_A_TIME, 4).
set -euo pipefail
cd "$(dirname "$0")/../.."

# The tree of `make test`, in which the library is compiled already; a plan that is stored there is of the other package.
scratch=${SCRATCH:-.build}
build=(swift build --build-tests --disable-build-manifest-caching --package-path Examples/Conformance --scratch-path "$scratch")
trap 'rm -f "$scratch/debug.yaml"' EXIT
folder=.build-conformance
answered=${ANSWERED:-120}
rm -rf "$folder" && mkdir -p "$folder"
# Nothing of this computer's: no calibration, no history, no place.
write=${CONFORMANCE_WRITE:-}
unset "${!MOTION_@}" "${!CONFORMANCE_@}"
[ -z "$write" ] || export CONFORMANCE_WRITE=$write
export MOTION_MEMORY=off

"${build[@]}"
# The program of the tests, because `swift test` lets one run at a time.
tests=("$("${build[@]}" --show-bin-path)/ConformancePackageTests.xctest" --testing-library swift-testing)

# ask NAME VARIABLE=VALUE… : one run, with a difference file of its own.
ask() {
  local name=$1 status=0
  shift
  env "$@" CONFORMANCE_FILE="$PWD/$folder/$name.jsonl" timeout 170 "${tests[@]}" --filter StatementTests >"$folder/$name.log" 2>&1 || status=$?
  echo "$status" >"$folder/$name.status"
}
runs=(
  "attitude MOTION_SOURCE=simulate:handheld?rate=200&bias=0.02:-0.01:0 CONFORMANCE_GROUPS=values,attitude,frames"
  "managers MOTION_SOURCE=simulate:handheld?rate=200 CONFORMANCE_GROUPS=managers"
  "headphones MOTION_SOURCE=simulate:rest MOTION_HEADPHONES=simulate:headphones CONFORMANCE_STATEMENTS=S54,S55,D10,D12,S11,S56,D11,S58,S59,D25 CONFORMANCE_GROUPS=headphones"
  "worn MOTION_SOURCE=simulate:rest MOTION_HEADPHONES=simulate:headphones?takeOffAt=2&putOnAt=3.5 CONFORMANCE_STATEMENTS=S57"
  "missing MOTION_SOURCE=simulate:handheld?magnetometer=no CONFORMANCE_STATEMENTS=D20,S31,D27,D43,D32"
  "poses MOTION_SOURCE=simulate:sixSides?speed=4 CONFORMANCE_GROUPS=poses"
  "walk MOTION_SOURCE=simulate:walk?speed=4 CONFORMANCE_GROUPS=steps CONFORMANCE_PATIENCE=0.5"
  "recorder MOTION_SOURCE=simulate:walk CONFORMANCE_GROUPS=recorder"
  "stairs MOTION_SOURCE=simulate:stairs?speed=4 MOTION_HEIGHT=520 CONFORMANCE_GROUPS=altitude"
  "batches MOTION_SOURCE=simulate:shake?rate=800 CONFORMANCE_GROUPS=batches"
  "dive MOTION_SOURCE=simulate:dive?depth=7&speed=20 CONFORMANCE_GROUPS=water,health"
)
for run in "${runs[@]}"; do
  while [ "$(jobs -rp | wc -l)" -ge "${RUNS_AT_A_TIME:-4}" ]; do wait -n || true; done
  # shellcheck disable=SC2086 # words on purpose
  ask $run &
done
wait

failed=0
for run in "${runs[@]}"; do
  name=${run%% *}
  if [ "$(cat "$folder/$name.status")" != 0 ]; then
    echo "The run “$name” ended with $(cat "$folder/$name.status"):"
    grep -aE '✘|error:|recorded an issue' "$folder/$name.log" | head -n 20 || tail -n 20 "$folder/$name.log"
    failed=1
  fi
done
# The checks themselves, on right and wrong numbers, and the table of the README.
"${tests[@]}" --skip StatementTests >"$folder/checks.log" 2>&1 || {
  echo "The tests of the checks fail:"
  grep -aE '✘|error:' "$folder/checks.log" | head -n 20
  failed=1
}

# A device that does differ has to be found out, down to the status of the run: one that ends at 50 Hz contradicts D21.
ask slow MOTION_SOURCE='simulate:rest?rate=50' CONFORMANCE_STATEMENTS=D21
if [ "$(cat "$folder/slow.status")" = 0 ] || ! grep -qF '"result":"differs"' "$folder/slow.jsonl"; then
  echo "A device of 50 Hz passes, although it contradicts D21."
  failed=1
fi

differences=$folder/differences.jsonl
for run in "${runs[@]}"; do cat "$folder/${run%% *}.jsonl" 2>/dev/null || true; done >"$differences"
if grep -F '"result":"differs"' "$differences"; then
  echo "These statements (above) do not hold for the module."
  failed=1
fi
codes() { { grep -F "\"result\":\"$1\"" "$differences" || true; } | sed -E 's/^\{"code":"([^"]*)".*/\1/' | LC_ALL=C sort -u; }
count=$(codes agrees | wc -l)
echo "$count statements are answered, $(codes agrees | grep -cE '^[SD]') of them S and D, and hold; the difference file is $differences."
echo "Asked without an answer here:" $(LC_ALL=C comm -13 <(codes agrees) <(codes 'not answerable here'))
if [ "$count" -lt "$answered" ]; then
  echo "Fewer than $answered are answered."
  failed=1
fi
exit "$failed"
