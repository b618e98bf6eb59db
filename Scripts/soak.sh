#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Holds for long what the tests hold for a minute: a recording in real time at 1 kHz with nine channels and the pressure loses nothing and
# needs no more memory at its end than at its beginning; and reading a large file needs no more memory than reading a small one.
#
#   SOAK_MINUTES    of recording in real time, default 60
#   SOAK_MEGABYTES  of the file that is read, default 2000
#   SOAK_COMMANDS   what is tried on it, default "info fuse cut" and, where there is one, convert
#   SOAK_FOLDER     where files go, default a new folder in the system's place for temporary files
set -euo pipefail
cd "$(dirname "$0")/.."

minutes=${SOAK_MINUTES:-60}
megabytes=${SOAK_MEGABYTES:-2000}
folder=$(mktemp -d "${SOAK_FOLDER:-${TMPDIR:-/tmp}}/soak-XXXXXX")
trap 'rm -rf "$folder"' EXIT

swift build -c release --product motionctl
motionctl=$(swift build -c release --show-bin-path)/motionctl
failures=0

fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

# kB: a line of /proc/PID/status, empty when the process is gone.
memory() { awk -v key="$2:" '$1 == key { print $2 }' "/proc/$1/status" 2>/dev/null || true; }

# Runs a command and leaves its peak of memory in $peak (kB) and its time in $elapsed (s).
measure() {
  local begin end process reading
  begin=$(date +%s.%N)
  "$@" &
  process=$!
  peak=0
  while kill -0 "$process" 2>/dev/null; do
    reading=$(memory "$process" VmHWM)
    [ -n "$reading" ] && [ "$reading" -gt "$peak" ] && peak=$reading
    sleep 0.05
  done
  wait "$process" || fail "$* ended with exit code $?"
  end=$(date +%s.%N)
  elapsed=$(awk -v a="$begin" -v b="$end" 'BEGIN { printf "%.2f", b - a }')
}

echo "== $minutes min in real time: 1 kHz × 9 channels and the pressure at 100 Hz =="
source="simulate:handheld?rate=1000&magnetometer=1000&pressure=100&temperature=no"
"$motionctl" record "$source" -o "$folder/long.mcap" --for "${minutes}m" 2>"$folder/long.log" &
recorder=$!
early=
late=
begin=$SECONDS
while kill -0 "$recorder" 2>/dev/null; do
  reading=$(memory "$recorder" VmRSS)
  # What a program needs it has taken after a quarter of a minute.
  if [ -n "$reading" ]; then
    [ -z "$early" ] && [ $((SECONDS - begin)) -ge 15 ] && early=$reading
    late=$reading
  fi
  sleep 1
done
wait "$recorder" || fail "record ended with exit code $?"
cat "$folder/long.log"
early=${early:-$late}
echo "memory: $early kB after 15 s, $late kB at the end"
# The buffer between sensor and disk may have been full once, on a machine that was busy; beyond it nothing may grow.
[ "$late" -le $((early + 16384)) ] || fail "the recorder's memory has grown from $early to $late kB"
"$motionctl" info "$folder/long.mcap" --json >"$folder/long.json"
python3 - "$folder/long.json" "$minutes" <<'EOF' || fail "the recording is not complete"
import json, sys
report, minutes = json.load(open(sys.argv[1])), float(sys.argv[2])
wanted = {"accelerometer": 1000, "gyroscope": 1000, "magnetometer": 1000, "air pressure": 100}
for stream in report["streams"]:
    rate = wanted.pop(stream["kind"])
    expected = round(rate * 60 * minutes)
    print(f"  {stream['kind']}: {stream['samples']} samples of {expected}, {stream['gaps']} gaps")
    assert stream["samples"] == expected and stream["gaps"] == 0, stream
assert not wanted, f"missing: {wanted}"
assert report["isFinished"] and not report["omitted"] and "events" not in report, report
EOF
rm -f "$folder/long.mcap"

echo "== A file of $megabytes MB, against one of a minute =="
record() {
  "$motionctl" record "simulate:handheld?rate=1000&magnetometer=1000&pressure=100&speed=max" -o "$1" --for "$2" 2>/dev/null
}
record "$folder/small.mcap" 60s
small=$(stat -c %s "$folder/small.mcap")
measure record "$folder/large.mcap" "$(awk -v m="$megabytes" -v s="$small" 'BEGIN { printf "%d", m * 1e6 / s * 60 + 1 }')s"
large=$(stat -c %s "$folder/large.mcap")
echo "record: $((large / 1000000)) MB in $elapsed s"

# Runs a command, @ standing for the file, on the small file and on the large one.
try() {
  local name=$1 kilobytes
  shift
  measure "${@/#@/$folder/small.mcap}" >/dev/null 2>&1
  kilobytes=$peak
  measure "${@/#@/$folder/large.mcap}" >/dev/null 2>"$folder/errors.log" || cat "$folder/errors.log" >&2
  echo "$name: $(awk -v b="$large" -v t="$elapsed" 'BEGIN { printf "%.0f", b / t / 1e6 }') MB/s ($elapsed s), peak $kilobytes kB for $((small / 1000000)) MB, $peak kB for $((large / 1000000)) MB"
  [ "$peak" -le $((kilobytes + kilobytes / 4 + 8192)) ] || fail "the memory of $name grows with the file"
}

for command in ${SOAK_COMMANDS:-info fuse cut convert}; do
  case $command in
  info) try info "$motionctl" info @ ;;
  fuse) try fuse "$motionctl" fuse @ -o "$folder/motion.csv" ;;
  cut) try cut "$motionctl" cut @ "$folder/part.mcap" --force ;;
  convert)
    # A part of its own; where it is missing there is nothing to measure.
    if "$motionctl" help 2>&1 | grep -q '^  convert '; then
      try convert "$motionctl" convert @ "$folder/out.ndjson" --force
    fi
    ;;
  esac
  rm -f "$folder/motion.csv" "$folder/part.mcap" "$folder/out.ndjson"
done

[ "$failures" -eq 0 ] || { echo "$failures failures" >&2; exit 1; }
echo "The soak has passed."
