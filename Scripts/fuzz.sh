#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# libFuzzer on the four parsers of bytes from outside, the estimators and the history (Tests/Fuzz), FUZZ_SECONDS (60) each, beginning with
# Tests/Corpus. Prints which part of each parser's lines the inputs reach. What ends a parser is kept in .build-fuzz/found, and the exit code is 1.
# --corpus writes a small corpus of what was reached into Tests/Corpus.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-60}
parsers=${FUZZ_TARGETS:-mcap zip hid aap samples history}
folder=.build-fuzz
mkdir -p "$folder/found"
# Those of Swift's own LLVM: another version does not read its profiles.
tools=$(dirname "$(readlink -f "$(command -v swift)")")

# Compiled for tests, because some parsers are no part of the API; the profile tells which lines were reached.
options=(-c release --scratch-path "$folder/build" --product motion-fuzz --sanitize=fuzzer -Xswiftc -enable-testing
  -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping -Xswiftc -parse-as-library)
OPENCOREMOTION_DEVELOP=fuzz swift build "${options[@]}" >&2
program=$(OPENCOREMOTION_DEVELOP=fuzz swift build "${options[@]}" --show-bin-path)/motion-fuzz

declare -A sources=(
  [mcap]=AddOns/MotionRecording/MCAP [zip]=AddOns/MotionRecording/Input/ZipArchive.swift
  [samples]="Sources/ActivityEstimation Sources/ActivitySummary Sources/MotionServices Sources/OrientationFusion"
  [history]=AddOns/MotionHistory
  [hid]=AddOns/HeadphoneSources/HeadTrackerHID/HIDReportDescriptor.swift [aap]=AddOns/HeadphoneSources/AirPods/AirPodsPacket.swift
)
# Half a minute of steps and turns at 50 Hz in the form of Tests/Fuzz/EveryEstimator.swift, so that there is something to change.
mkdir -p "$folder/samples"
python3 - >"$folder/samples/walk" <<'EOF'
import math, struct, sys
for row in range(900):
    phase = row / 50 * 2 * math.pi * 1.8
    values = (0.4, 0.3 * math.sin(phase / 2), 0, 1 + math.sin(phase), math.sin(phase / 2), 9.8 + 3 * math.sin(phase))
    sys.stdout.buffer.write(struct.pack(">BI6d", 5, 20_000_000, *values))
    if row % 10 == 0:
        sys.stdout.buffer.write(struct.pack(">BI3d", 1, 0, 2e-5, 0, -4e-5) + struct.pack(">BId", 2, 0, 101_325 - row / 50))
EOF

failed=0
for parser in $parsers; do
  inputs=$folder/$parser
  mkdir -p "$inputs"
  corpus=
  [ ! -d "Tests/Corpus/$parser" ] || corpus=Tests/Corpus/$parser
  export FUZZ_TARGET=$parser SWIFT_BACKTRACE=enable=no LLVM_PROFILE_FILE="$folder/$parser.profraw"
  "$program" -max_total_time="$seconds" -timeout=2 -rss_limit_mb=400 -max_len=65536 -artifact_prefix="$folder/found/$parser-" \
    "$inputs" $corpus >"$folder/$parser.log" 2>&1 || { failed=1; tail -n 12 "$folder/$parser.log"; }
  if [ "${1:-}" = --corpus ]; then
    # The smallest set with the same coverage, of small inputs.
    mkdir -p "$folder/small-$parser"
    "$program" -merge=1 -max_len=2048 "$folder/small-$parser" "Tests/Corpus/$parser" "$inputs" >/dev/null 2>&1 || true
  fi
  "$program" -runs=0 "$inputs" $corpus >/dev/null 2>&1 || true
  "$tools/llvm-profdata" merge "$folder/$parser.profraw" -o "$folder/$parser.profdata"
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p; s/^Done \([0-9]*\) runs.*/\1/p' "$folder/$parser.log" | tail -n 1)
  lines=$("$tools/llvm-cov" export -summary-only -ignore-filename-regex=Writer -instr-profile "$folder/$parser.profdata" "$program" ${sources[$parser]} |
    python3 -c 'import json, sys; t = json.load(sys.stdin)["data"][0]["totals"]["lines"]; print("%(covered)d of %(count)d lines (%(percent).0f %%)" % t)')
  echo "$parser: ${runs:-?} inputs, $lines of ${sources[$parser]}"
done
exit "$failed"
