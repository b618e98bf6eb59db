// swift-tools-version:6.1
// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// What runs in the guest: a package of its own, because it is built optimised (the guest's processor is emulated) and
// because nothing of it can run elsewhere. `make test-kernel` builds and runs it.
let package = Package(
  name: "KernelTests",
  dependencies: [.package(name: "OpenCoreMotion", path: "../..")],
  targets: [
    .testTarget(
      name: "KernelTests",
      dependencies: [
        .product(name: "CoreMotion", package: "OpenCoreMotion"),
        .product(name: "MotionHeadphones", package: "OpenCoreMotion"),
        .product(name: "MotionHistory", package: "OpenCoreMotion"),
        .product(name: "MotionRecording", package: "OpenCoreMotion"),
        .product(name: "MotionSensing", package: "OpenCoreMotion"),
        .product(name: "OrientationFusion", package: "OpenCoreMotion"),
      ])
  ]
)
