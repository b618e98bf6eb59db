#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Builds every example and runs it on the simulated device and, where the data folder is present, on a recording from a real
# iPhone. An example passes when it exits with 0 and its output holds the lines that it should hold. Exits with 1 when one fails.
#
# OPENCOREMOTION_DATA   the data folder; default: shared/data beside the checkout
# EXAMPLE_SECONDS       how long each program runs; default 2
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${EXAMPLE_SECONDS:-2}
data=${OPENCOREMOTION_DATA:-$(dirname "$PWD")/shared/data}
recording=$data/mcap/pyojin_iphone_2019_06_11.mcap
# The tree of `make test`, in which the library is compiled already; a plan that is stored there is of the other package.
scratch=.build
build=(swift build --disable-build-manifest-caching --scratch-path "$scratch")
number='[+-]?[0-9]+\.[0-9]+'

examples=(GyroscopePoller SliderUpdates NorthPoller NorthUpdates MotionPrinter Recentre FreshSamples OneReading BatchPrinter)
declare -A expected=(
  [GyroscopePoller]="^rotation rate  x +$number  y +$number  z +$number rad/s\$"
  [SliderUpdates]="^slider  0: asked for 100\.0 Hz, got +$number Hz\$"
  [NorthPoller]="^heading +($number degrees|unknown)   field +$number microtesla"
  [NorthUpdates]="^roll +$number  pitch +$number  yaw +$number degrees\$"
  [MotionPrinter]="^  gravity +$number +$number +$number g\$"
  [Recentre]="^relative  roll +$number  pitch +$number  yaw +$number degrees\$"
  [FreshSamples]="^steering by a sample [0-9]+ ms old"
  [OneReading]="^the device is "
  [BatchPrinter]="^ *[0-9]+ accelerations  hardest +$number g\$"
  [HeadphonePrinter]="^(left bud|headphones)  turned +$number  raised +$number  tilted +$number degrees\$"
  [DivePrinter]="^(deep|approaching the maximum|past the maximum) +depth $number m +water $number kPa"
  [SwingCoach]="^stroke +[0-9]+  hit with $number g  ([0-9]+ ms to contact|time to contact needs 200 Hz device motion)\$"
  [MetronomePrinter]="^fastest 3\.1[34] rad/s\$"
  [AltitudePrinter]="^relative +$number m   pressure $number kPa\$"
)
# Programs of water, air and strokes, each with what they run on: a simulation, and a recording of the data folder.
special_examples=(DivePrinter AltitudePrinter SwingCoach)
declare -A simulation=([DivePrinter]='simulate:dive?speed=40' [AltitudePrinter]='simulate:stairs?speed=10' [SwingCoach]='simulate:swing?speed=10&seed=1')
declare -A special_log=(
  [DivePrinter]=mcap/dive_suunto_nautic_sidemount.mcap
  [AltitudePrinter]=mcap/baro_px4_stationary.mcap
  [SwingCoach]=mcap/swing_applewatch_seven_forehands.mcap
)
# Of seven strokes: the simulation's true times to contact in ms (10 ms off at most), the recording's impacts in g (rounded).
declare -A strokes=([simulator]='7 10 226 238 202 112 259 149 180' [recording]='5 0.051 47.4 26.3 33.5 35.3 19.5 40.0 30.3')
declare -A log_speed=([DivePrinter]=60 [AltitudePrinter]=4 [SwingCoach]=5)

"${build[@]}" --package-path Examples
programs=$("${build[@]}" --package-path Examples --show-bin-path)
results=$(mktemp -d)
output=$results/output
trap 'rm -rf "$results" "$scratch/debug.yaml"' EXIT
failures=0

# Why the output of one example is not what it should be; nothing when it is.
complaint() {
  local name=$1 status=$2 label=$3
  [ "$status" -eq 0 ] || { echo "exit status $status"; return; }
  grep -qE "${expected[$name]}" "$output" || { echo "a line like /${expected[$name]}/ is missing"; return; }
  ! grep -qiwE '[+-]?(nan|inf)' "$output" || { echo "a number is not finite"; return; }
  grep -qE '^[1-9][0-9]* samples?' "$output" || { echo "no sample came"; return; }
  if [ "$name" = SwingCoach ]; then
    awk -v wanted="${strokes[$label]}" 'BEGIN { split(wanted, number) }
      /^stroke/ { difference = $number[1] - number[++count + 2]; if (difference < 0) difference = -difference; if (difference > number[2]) bad = $0 }
      END { if (bad) print "a stroke that is not so:", bad; if (count != 7) print count, "strokes, not 7" }' "$output"
  fi
  # Gravity is a unit vector; two decimals leave it within 0.02.
  awk '$1 == "gravity" { length2 = $2 * $2 + $3 * $3 + $4 * $4; if (length2 < 0.96 || length2 > 1.04) bad = $0 }
    END { if (bad) print "gravity is not 1 g long:" bad }' "$output"
}

try() {
  local name=$1 label=$2 source=$3 status=0 why amount=$seconds output=$4
  [ "$name" != SwingCoach ] || amount=7
  # Those that listen to headphones find the source there; the others do not look.
  MOTION_SOURCE=$source MOTION_HEADPHONES=$source timeout 60 "$programs/$name" "$amount" >"$output" 2>&1 </dev/null || status=$?
  why=$(complaint "$name" "$status" "$label")
  if [ -z "$why" ]; then
    printf '%-16s %-10s ok      %s\n' "$name" "$label" "$(tail -n 1 "$output")"
  else
    printf '%-16s %-10s FAILED  %s\n' "$name" "$label" "$why"
    sed 's/^/    | /' "$output"
  fi
}
# They wait most of the time, so several go side by side.
run() {
  while [ "$(jobs -rp | wc -l)" -ge 4 ]; do wait -n || true; done
  count=$((count + 1))
  try "$@" "$results/$count.output" >"$results/$count.result" &
}
count=0

for name in "${examples[@]}"; do
  source=simulate:handheld
  [ "$name" != BatchPrinter ] || source='simulate:shake?rate=800'
  run "$name" simulator "$source"
done
run MetronomePrinter 'own source' 'metronome:120'
# What is not linked is named, with the line that adds it.
MOTION_SOURCE=replay:walk.csv "$programs/MetronomePrinter" 1 >"$output" 2>&1 </dev/null || true
if grep -qF '.product(name: "MotionRecording"' "$output"; then
  echo "MetronomePrinter without recordings: the product is named"
else
  echo "MetronomePrinter without recordings FAILED: the product is not named"
  failures=$((failures + 1))
fi
run HeadphonePrinter simulator 'simulate:headphones?switchAt=1.5'
for name in "${special_examples[@]}"; do
  run "$name" simulator "${simulation[$name]}"
  log=$data/${special_log[$name]}
  if [ -f "$log" ]; then
    run "$name" recording "replay:$log?speed=${log_speed[$name]}"
  else
    echo "(not run on a recording: $log is not there)"
  fi
done
if [ -f "$recording" ]; then
  for name in "${examples[@]}"; do
    # Comparing time stamps with the up time needs stamps of the present, at the speed of the present.
    options='speed=10'
    [ "$name" != FreshSamples ] || options='clock=now'
    run "$name" recording "replay:$recording?$options"
  done
else
  echo "(not run on a recording: $recording is not there)"
fi
wait
for ((index = 1; index <= count; index++)); do cat "$results/$index.result"; done
failures=$((failures + $(cat "$results"/*.result | grep -cE '^[A-Za-z]+ +[a-z ]+ FAILED ' || true)))

# Programs as tests, and an app's motion code with its tests, in Swift Testing and XCTest; in the same folder, where the library is
# built already.
for package in Examples Examples/MotionTestingExample; do
  if swift test --parallel --num-workers 6 --disable-build-manifest-caching --package-path "$package" --scratch-path "$scratch" >"$output" 2>&1; then
    echo "$package: its tests pass"
  else
    echo "$package FAILED"
    sed 's/^/    | /' "$output"
    failures=$((failures + 1))
  fi
done

# The recipes of the guide for existing tests, as they stand there: command lines, and the job of a workflow with its environment.
guide=$PWD/Sources/CoreMotion/CoreMotion.docc/TestingMotionCode.md
mapfile -t recipes < <(
  grep -E '^MOTION_[A-Z]+=.* swift test$' "$guide"
  awk '/- run: swift test/ { job = 1; next } job && $1 ~ /^MOTION_/ { line = line $1 $2 " " } /^```$/ && job { print line "swift test"; exit }' "$guide" |
    sed 's/:"/="/g'
)
[ "${#recipes[@]}" -ge 3 ] || { echo "the guide has ${#recipes[@]} recipes, not 3"; failures=$((failures + 1)); }
for recipe in "${recipes[@]}"; do
  if (cd Examples/MotionTestingExample && SWIFTPM_BUILD_DIR=../../$scratch timeout 300 bash -c "$recipe") >"$output" 2>&1 &&
    grep -q 'theDeviceOfTheEnvironmentDelivers() passed' "$output"; then
    echo "recipe  $recipe: its tests pass"
  else
    echo "recipe  $recipe FAILED"
    sed 's/^/    | /' "$output"
    failures=$((failures + 1))
  fi
done
RUNS=${RUNS:-30} Scripts/check-mixed-tests.sh || failures=$((failures + 1))

if [ "$failures" -gt 0 ]; then
  echo "$failures example runs failed"
  exit 1
fi
echo "all examples passed"
