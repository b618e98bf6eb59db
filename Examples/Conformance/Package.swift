// swift-tools-version:6.2
// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// What Documentation/Behaviour.md states about Core Motion, asked of the module named CoreMotion: of Apple's framework
// on Apple's systems, where this package depends on nothing, and of OpenCoreMotion on Linux. The sources import
// CoreMotion, Foundation and Testing only. On Linux the other products are linked and never named: they bring sources.
let package = Package(
  name: "Conformance",
  platforms: [.macOS(.v15), .iOS(.v18), .watchOS(.v11)],
  products: [.library(name: "Conformance", targets: ["Conformance"])],
  targets: [
    .target(name: "Conformance"),
    .testTarget(name: "ConformanceTests", dependencies: ["Conformance"]),
  ],
  swiftLanguageModes: [.v6]
)

#if os(Linux)
package.dependencies = [.package(name: "OpenCoreMotion", path: "../..")]
package.targets[0].dependencies = ["CoreMotion", "MotionHeadphones", "MotionHistory"].map {
  .product(name: $0, package: "OpenCoreMotion")
}
#endif

// Declarations that are new in Apple's SDK 27: CONFORMANCE_SDK=27 in the environment of the build.
if Context.environment["CONFORMANCE_SDK"] == "27" {
  for target in package.targets { target.swiftSettings = [.define("CONFORMANCE_SDK_27")] }
}

// In CI a warning is an error, as in the main package.
if Context.environment["OPENCOREMOTION_DEVELOP"] == "ci" {
  for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
  }
}
