#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Twenty suites of a client's package, half with the test kit and half without, in one process, RUNS times (default 1000): in
# parallel and one after the other, each run with another random choice of them and another source. A run passes when it ends
# within a minute as it should: with success on a source that delivers, with a failure on one that is missing. Nothing may hang.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${RUNS:-1000}
scratch=$PWD/.build
package=$(mktemp -d)
trap 'rm -rf "$package" "$scratch/debug.yaml"' EXIT
build=(swift build --build-tests --disable-build-manifest-caching --package-path "$package" --scratch-path "$scratch")

mkdir -p "$package/Tests/MixedTests"
cat >"$package/Package.swift" <<MANIFEST
// swift-tools-version:6.1
import PackageDescription
let package = Package(
  name: "Mixed", dependencies: [.package(name: "OpenCoreMotion", path: "$PWD")],
  targets: [
    .testTarget(
      name: "MixedTests",
      dependencies: ["MotionTesting", "MotionRecording"].map { .product(name: \$0, package: "OpenCoreMotion") })
  ], swiftLanguageModes: [.v5])
MANIFEST
{
  cat <<'SOURCE'
import CoreMotion
import Foundation
import MotionTesting
import Testing

/// The time stamp of the tenth sample, or the first error.
func tenth(_ manager: CMMotionManager) async throws -> TimeInterval {
  try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<TimeInterval, any Error>) in
    var count = 0
    manager.startDeviceMotionUpdates(to: OperationQueue()) { motion, error in
      count += 1
      if count == 1, let error { continuation.resume(throwing: error) }
      if count == 10, let motion { continuation.resume(returning: motion.timestamp) }
    }
  }
}
SOURCE
  for number in $(seq 1 10); do
    cat <<SOURCE
@Suite struct Kit$number {
  @Test func moves() async throws {
    try await withMotion("rest 0.$number s, shake 1 s") { device in
      let manager = CMMotionManager()
      manager.startDeviceMotionUpdates()
      try await device.playToEnd()
      #expect(manager.deviceMotion != nil)
    }
  }
  @Test func isAbsent() async throws {
    await withoutMotion { _ in await #expect(throws: (any Error).self) { try await tenth(CMMotionManager()) } }
  }
}
@Suite struct Plain$number {
  @Test func hears() async throws { #expect(try await tenth(CMMotionManager()) > 0) }
}
SOURCE
  done
} >"$package/Tests/MixedTests/MixedTests.swift"

"${build[@]}" 2>&1 | tail -n 1
# The program of the tests: what `swift test` runs, without its own work.
tests=("$("${build[@]}" --show-bin-path)/MixedPackageTests.xctest" --testing-library swift-testing)
cp Examples/MotionTestingExample/Fixtures/walk.csv "$package/walk.csv"
log=$package/log
for ((run = 1; run <= runs; run++)); do
  chosen=$(shuf -e Kit{1..10} Plain{1..10} -n "$((2 + RANDOM % 19))" | paste -sd'|')
  # A run needs a suite that hears the source.
  chosen="$chosen|Plain$((1 + RANDOM % 10))"
  parallel=()
  [ $((RANDOM % 2)) = 0 ] || parallel=(--no-parallel)
  case $((RANDOM % 4)) in
    0 | 1) source="replay:$package/walk.csv?speed=max" strict=1 expected=pass ;;
    2) source='simulate:handheld?speed=max' strict=0 expected=pass ;;
    *) source="replay:$package/missing.csv" strict=$((RANDOM % 2)) expected=fail ;;
  esac
  status=0
  MOTION_SOURCE=$source MOTION_STRICT=$strict MOTION_MEMORY=off timeout 60 "${tests[@]}" \
    ${parallel[@]+"${parallel[@]}"} --filter "MixedTests\.($chosen)/" >"$log" 2>&1 || status=$?
  if { [ "$expected" = pass ] && [ "$status" != 0 ]; } || { [ "$expected" = fail ] && { [ "$status" = 0 ] || [ "$status" = 124 ]; }; }; then
    echo "Run $run with $source, MOTION_STRICT=$strict, ${parallel[*]-}, $chosen ended with $status:"
    tail -n 20 "$log"
    exit 1
  fi
done
echo "$runs runs of 20 suites with and without the kit: none hung, each ended as it should."
