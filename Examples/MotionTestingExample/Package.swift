// swift-tools-version:6.1
// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// An app's motion code in a module of its own, and its tests, which run on Linux. On Apple's systems the module links
// the system's Core Motion: the condition keeps this package out.
let package = Package(
  name: "MotionTestingExample",
  platforms: [.macOS(.v15), .iOS(.v18), .watchOS(.v11)],
  products: [.library(name: "Gestures", targets: ["Gestures"])],
  dependencies: [.package(name: "OpenCoreMotion", path: "../..")],
  targets: [
    .target(
      name: "Gestures",
      dependencies: [.product(name: "CoreMotion", package: "OpenCoreMotion", condition: .when(platforms: [.linux]))]),
    .testTarget(
      name: "GesturesTests",
      dependencies: [
        "Gestures", .product(name: "MotionTesting", package: "OpenCoreMotion", condition: .when(platforms: [.linux])),
        .product(name: "MotionRecording", package: "OpenCoreMotion", condition: .when(platforms: [.linux])),
      ]),
    .testTarget(
      name: "GesturesXCTests",
      dependencies: [
        "Gestures", .product(name: "MotionTesting", package: "OpenCoreMotion", condition: .when(platforms: [.linux])),
        .product(name: "MotionRecording", package: "OpenCoreMotion", condition: .when(platforms: [.linux])),
      ]),
  ],
  swiftLanguageModes: [.v5]
)
