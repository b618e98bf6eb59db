// swift-tools-version:6.1
// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own, so that the library's users never resolve or build it. Run it by `make bench`.
let package = Package(
  name: "Benchmarks",
  products: [
    .executable(name: "motion-benchmarks", targets: ["MotionBenchmarks"]),
    // Preloaded (LD_PRELOAD) to count allocations.
    .library(name: "AllocationCounter", type: .dynamic, targets: ["AllocationCounter"]),
  ],
  dependencies: [.package(name: "OpenCoreMotion", path: "..")],
  targets: [
    .target(name: "AllocationCounter"),
    .executableTarget(
      name: "MotionBenchmarks",
      dependencies: [
        .product(name: "CoreMotion", package: "OpenCoreMotion"),
        .product(name: "MotionHost", package: "OpenCoreMotion"),
        .product(name: "MotionServices", package: "OpenCoreMotion"),
        .product(name: "MotionSensing", package: "OpenCoreMotion"),
        .product(name: "MotionMath", package: "OpenCoreMotion"),
        .product(name: "OrientationFusion", package: "OpenCoreMotion"),
        .product(name: "SimulatedSources", package: "OpenCoreMotion"),
        .product(name: "LinuxSources", package: "OpenCoreMotion"),
        .product(name: "MotionTesting", package: "OpenCoreMotion"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
