#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# libFuzzer on the five parsers of bytes from outside (Tests/Fuzz), FUZZ_SECONDS (60) each, beginning with Tests/Corpus. Prints which part
# of each parser's lines the inputs reach. What ends a parser is kept in .build-fuzz/found, and the exit code is 1.
# --corpus writes a small corpus of what was reached into Tests/Corpus.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-60}
parsers=${FUZZ_TARGETS:-mcap arrow zip hid aap}
folder=.build-fuzz
mkdir -p "$folder/found"
# Those of Swift's own LLVM: another version does not read its profiles.
tools=$(dirname "$(readlink -f "$(command -v swift)")")

# Compiled for tests, because some parsers are no part of the API; the profile tells which lines were reached.
options=(-c release --scratch-path "$folder/build" --product motion-fuzz --sanitize=fuzzer -Xswiftc -enable-testing
  -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping -Xswiftc -parse-as-library)
FUZZ=1 swift build "${options[@]}" >&2
program=$(FUZZ=1 swift build "${options[@]}" --show-bin-path)/motion-fuzz

declare -A sources=(
  [mcap]=Sources/MotionRecording/MCAP [arrow]=Sources/MotionRecording/Arrow [zip]=Sources/MotionRecording/Input/ZipArchive.swift
  [hid]=Sources/HeadphoneSources/HeadTrackerHID/HIDReportDescriptor.swift [aap]=Sources/HeadphoneSources/AirPods/AirPodsPacket.swift
)
failed=0
for parser in $parsers; do
  inputs=$folder/$parser
  mkdir -p "$inputs"
  export FUZZ_TARGET=$parser SWIFT_BACKTRACE=enable=no LLVM_PROFILE_FILE="$folder/$parser.profraw"
  "$program" -max_total_time="$seconds" -timeout=2 -rss_limit_mb=400 -max_len=65536 -artifact_prefix="$folder/found/$parser-" \
    "$inputs" "Tests/Corpus/$parser" >"$folder/$parser.log" 2>&1 || { failed=1; tail -n 12 "$folder/$parser.log"; }
  if [ "${1:-}" = --corpus ]; then
    # The smallest set with the same coverage, of small inputs.
    mkdir -p "$folder/small-$parser"
    "$program" -merge=1 -max_len=2048 "$folder/small-$parser" "Tests/Corpus/$parser" "$inputs" >/dev/null 2>&1 || true
  fi
  "$program" -runs=0 "$inputs" "Tests/Corpus/$parser" >/dev/null 2>&1 || true
  "$tools/llvm-profdata" merge "$folder/$parser.profraw" -o "$folder/$parser.profdata"
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p; s/^Done \([0-9]*\) runs.*/\1/p' "$folder/$parser.log" | tail -n 1)
  lines=$("$tools/llvm-cov" export -summary-only -ignore-filename-regex=Writer -instr-profile "$folder/$parser.profdata" "$program" "${sources[$parser]}" |
    python3 -c 'import json, sys; t = json.load(sys.stdin)["data"][0]["totals"]["lines"]; print("%(covered)d of %(count)d lines (%(percent).0f %%)" % t)')
  echo "$parser: ${runs:-?} inputs, $lines of ${sources[$parser]}"
done
exit "$failed"
