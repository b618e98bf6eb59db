// swift-tools-version:6.1
// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// Programs as Core Motion's users write them: they import CoreMotion and nothing of this project besides (the other
// products are only linked: they bring their sources). Half of them are in the Swift 5 language mode, half in the Swift
// 6 mode, because both kinds of client exist.
func program(_ name: String, _ mode: SwiftLanguageMode) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["CoreMotion", "MotionRecording", "MotionPhones", "MotionHeadphones"].map {
      .product(name: $0, package: "OpenCoreMotion", condition: .when(platforms: [.linux]))
    },
    swiftSettings: [.swiftLanguageMode(mode)])
}

let package = Package(
  name: "Examples",
  dependencies: [.package(name: "OpenCoreMotion", path: "..")],
  targets: [
    program("GyroscopePoller", .v5),
    program("SliderUpdates", .v5),
    program("NorthPoller", .v6),
    program("NorthUpdates", .v6),
    program("MotionPrinter", .v5),
    program("Recentre", .v5),
    program("FreshSamples", .v6),
    program("OneReading", .v6),
    program("HeadphonePrinter", .v5),
    program("BatchPrinter", .v6),
    program("SwingCoach", .v6),
    program("DivePrinter", .v6),
    program("AltitudePrinter", .v5),
    // Six of them as tests, untouched.
    .testTarget(
      name: "ProgramTests",
      dependencies: [
        "GyroscopePoller", "SliderUpdates", "NorthPoller", "NorthUpdates", "FreshSamples", "OneReading",
        .product(name: "MotionTesting", package: "OpenCoreMotion", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // A source of one's own, and a program that links it.
    .target(
      name: "MetronomeSource",
      dependencies: [.product(name: "MotionSensing", package: "OpenCoreMotion")]),
    .executableTarget(
      name: "MetronomePrinter",
      dependencies: ["MetronomeSource", .product(name: "CoreMotion", package: "OpenCoreMotion")],
      swiftSettings: [.swiftLanguageMode(.v5)]),
  ]
)
