// swift-tools-version:6.2
// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package that depends on this one gets the libraries without motionctl and without what only motionctl needs.
// SwiftPM reads the manifest of a dependency at "/" while it resolves versions, and in a folder named "checkouts" when
// it builds.
let folders = Context.packageDirectory.split(separator: "/")
let isDependency = folders.isEmpty || folders.dropLast().last == "checkouts"

// The layers of the house, lowest first. A target may depend on lower layers only; CI holds this with
// `swift build --explicit-target-dependency-import-check error`.
let package = Package(
  name: "OpenCoreMotion",
  products: [
    // Programs: Apple's classes, the host that chooses their source, and the sensors of this computer and simulated
    // ones. Static, because SwiftPM builds a product alone (`swift build --product CoreMotion`) only if its kind is
    // declared; programs are linked with the objects of its modules in either case.
    .library(name: "CoreMotion", type: .static, targets: ["CoreMotion", "MotionHost"]),
    // Add-ons: each registers its sources when it is linked; no line of a program names it.
    // replay: and the formats of recordings, and recording.
    .library(name: "MotionRecording", targets: ["MotionRecording"]),
    // phone:
    .library(name: "MotionPhones", targets: ["NetworkSources"]),
    // airpods:, headtracker: and simulate:headphones.
    .library(name: "MotionHeadphones", targets: ["HeadphoneSources", "HeadphoneSimulation"]),
    // The recorder's history of steps, activities and accelerations.
    .library(name: "MotionHistory", targets: ["MotionHistory"]),
    // Tests of such programs, and of sources.
    .library(name: "MotionTesting", targets: ["MotionTesting"]),
    // People who add a source.
    .library(name: "MotionSensing", targets: ["MotionSensing", "MotionMath", "LinuxSources", "SimulatedSources"]),
    // The filter, and the smoother of recordings.
    .library(name: "OrientationFusion", targets: ["OrientationFusion", "OrientationSmoothing", "MotionMath"]),
    .executable(name: "motionctl", targets: ["motionctl"]),
  ],
  traits: [
    .trait(name: "SinglePrecision", description: "The orientation filter computes in Float instead of Double."),
    .trait(name: "CommandLine", description: "motionctl; without it, swift-argument-parser is not fetched."),
    .default(enabledTraits: isDependency ? [] : ["CommandLine"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
  ],
  targets: [
    // Layer 0: pure mathematics. No Foundation; builds as Embedded Swift.
    .target(name: "MotionMath"),
    .target(name: "OrientationFusion", dependencies: ["MotionMath"]),
    .target(name: "OrientationSmoothing", dependencies: ["MotionMath", "OrientationFusion"]),
    .target(name: "ActivityEstimation", dependencies: ["MotionMath"]),
    .target(name: "ActivitySummary", dependencies: ["ActivityEstimation", "MotionMath"]),

    // Layer 1: the contract between sources and services.
    .target(name: "CMotionSystem"),
    .target(name: "MotionSensing", dependencies: ["MotionMath", "CMotionSystem"]),

    // Servers and clients of the local network, for sources and outputs.
    .target(name: "MotionNetwork", dependencies: ["MotionSensing", "CMotionSystem"]),

    // What phones' loggers write and send, as far as recordings and phones over the network share it: numbers, JSON,
    // units.
    .target(name: "PhoneFormats", dependencies: ["MotionMath", "MotionSensing"]),

    // Layer 2: sources. They never import each other, and register themselves when they are linked.
    .target(name: "SimulatedSources", dependencies: ["MotionMath", "MotionSensing"]),
    // Headphones on a simulated head: for programs with headphones, and for tests.
    .target(name: "HeadphoneSimulation", dependencies: ["MotionMath", "MotionSensing", "SimulatedSources"]),

    .target(name: "CLinuxInput"),
    .target(
      name: "LinuxSources",
      dependencies: ["MotionMath", "MotionSensing", "CMotionSystem", "CLinuxInput"]),

    .target(name: "CLinuxBluetooth", dependencies: ["CMotionSystem"]),
    .target(
      name: "HeadphoneSources",
      dependencies: ["MotionMath", "MotionSensing", "CMotionSystem", "CLinuxInput", "CLinuxBluetooth"]),

    // Phones that send their sensors over the network.
    .target(
      name: "NetworkSources",
      dependencies: ["MotionMath", "MotionSensing", "MotionNetwork", "PhoneFormats", "CMotionSystem"],
      resources: ["index.html", "page.css", "page.js", "motion.js"].map { .embedInCode("Browser/Page/\($0)") }),

    // Layer 3: estimators and the hub.
    .target(
      name: "MotionServices",
      dependencies: ["MotionMath", "OrientationFusion", "ActivityEstimation", "MotionSensing", "CMotionSystem"]),

    // Layer 4: the composition root. It has no source of its own: the registry has those of the linked products.
    .target(
      name: "MotionHost",
      dependencies: [
        "MotionMath", "OrientationFusion", "MotionSensing", "MotionServices",
        .product(name: "Logging", package: "swift-log"),
      ]),

    // Add-ons above the host: recordings, read and written,
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(
      name: "MotionRecording",
      dependencies: [
        "MotionMath", "MotionSensing", "PhoneFormats", "MotionServices", "MotionHost", "CMotionSystem", "CZlib",
      ]),

    // and the store of steps, activities and accelerations, in SQLite.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "MotionHistory", dependencies: ["MotionMath", "MotionSensing", "MotionServices", "MotionHost", "CSQLite"]),

    // Layer 5: Apple's dialect, in Swift 5 mode so that a client's misuse of a background queue traps instead of racing
    // in silence (Documentation/Design.md). It imports no source; those of every computer are linked with it.
    .systemLibrary(name: "CoreMotionSubmodules"),
    .target(
      name: "CoreMotion",
      dependencies: [
        "MotionMath", "MotionSensing", "MotionServices", "MotionHost", "CoreMotionSubmodules",
        "LinuxSources", "SimulatedSources",
      ],
      exclude: ["Darwin"],
      swiftSettings: [.swiftLanguageMode(.v5)]),

    // Layer 6: the ways out to other programs, the work of the command line as libraries, and the command line.
    .target(
      name: "LiveOutput", dependencies: ["MotionMath", "MotionSensing", "MotionNetwork", "CMotionSystem"]),
    .target(
      name: "MotionTools",
      dependencies: [
        "MotionMath", "MotionSensing", "MotionRecording", "MotionServices", "MotionHistory", "MotionHost", "CoreMotion",
        "LinuxSources", "SimulatedSources", "HeadphoneSources", "NetworkSources",
        "OrientationFusion", "OrientationSmoothing", "ActivitySummary",
        .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "MotionViewer",
      dependencies: [
        "MotionMath", "MotionSensing", "MotionNetwork", "MotionRecording", "MotionServices", "MotionHost",
        "MotionTools", "NetworkSources",
      ],
      // 80 kB, so that the program is one file.
      resources: [.embedInCode("Page")]),
    .executableTarget(
      name: "motionctl",
      dependencies: [
        "MotionMath", "MotionSensing", "MotionRecording", "MotionServices", "MotionHistory", "MotionHost", "CoreMotion",
        "LiveOutput", "MotionNetwork", "NetworkSources", "LinuxSources", "MotionTools", "MotionViewer",
        "HeadphoneSources", "HeadphoneSimulation", "ActivitySummary",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["CommandLine"])),
        .product(name: "Logging", package: "swift-log"),
      ],
      resources: [.embedInCode("Licences")]),

    // The public test kit.
    .target(
      name: "MotionTesting",
      dependencies: [
        "MotionMath", "MotionSensing", "MotionServices", "SimulatedSources", "HeadphoneSimulation",
        "MotionHost", "CoreMotion",
      ]),
    // What tests of several targets share; headphones that a test plays.
    .target(
      name: "TestSupport",
      dependencies: [
        "MotionMath", "MotionSensing", "MotionRecording", "SimulatedSources", "HeadphoneSimulation", "HeadphoneSources",
      ],
      path: "Tests/TestSupport"),

    .testTarget(name: "MotionMathTests", dependencies: ["TestSupport", "MotionMath"]),
    .testTarget(
      name: "OrientationFusionTests",
      dependencies: ["TestSupport", "OrientationFusion", "OrientationSmoothing", "MotionMath", "SimulatedSources"],
      exclude: ["Golden"]),
    .testTarget(name: "MotionSensingTests", dependencies: ["MotionSensing", "MotionMath", "MotionTesting"]),
    .testTarget(
      name: "SimulatedSourcesTests",
      dependencies: ["SimulatedSources", "HeadphoneSimulation", "MotionSensing", "MotionMath", "MotionTesting"]),
    .testTarget(
      name: "LiveOutputTests",
      dependencies: ["TestSupport", "LiveOutput", "MotionNetwork", "MotionMath", "MotionSensing"]),
    .testTarget(
      name: "MotionRecordingTests",
      dependencies: [
        "TestSupport", "MotionRecording", "PhoneFormats", "MotionSensing", "MotionMath", "MotionTesting",
      ]),
    .testTarget(
      name: "LinuxSourcesTests",
      dependencies: [
        "LinuxSources", "HeadphoneSources", "HeadphoneSimulation", "TestSupport",
        "CLinuxInput", "CLinuxBluetooth", "MotionSensing", "MotionMath", "MotionTesting", "CoreMotion", "MotionHost",
        "MotionServices",
        "SimulatedSources",
      ]),
    .testTarget(
      name: "MotionNetworkTests", dependencies: ["MotionNetwork", "MotionSensing"], exclude: ["decode-qr.py"]),
    .testTarget(
      name: "NetworkSourcesTests",
      dependencies: [
        "TestSupport", "NetworkSources", "MotionNetwork", "PhoneFormats", "MotionSensing", "MotionMath",
        "MotionTesting",
        "SimulatedSources", "MotionRecording", "MotionServices", "MotionTools", "OrientationFusion", "MotionHost",
      ]),
    .testTarget(
      name: "MotionServicesTests",
      dependencies: [
        "TestSupport", "MotionServices", "MotionTools", "OrientationFusion", "ActivityEstimation", "MotionSensing",
        "MotionMath",
        "MotionTesting", "SimulatedSources", "HeadphoneSimulation", "MotionRecording",
      ]),
    .testTarget(
      name: "MotionHistoryTests",
      dependencies: [
        "TestSupport", "MotionHistory", "MotionHost", "MotionServices", "MotionSensing", "MotionMath", "MotionTesting",
        "SimulatedSources",
      ]),
    .testTarget(
      name: "MotionHostTests",
      dependencies: [
        "MotionHost", "MotionServices", "MotionSensing", "MotionMath", "MotionTesting",
        "SimulatedSources", "HeadphoneSimulation", "OrientationFusion", "LinuxSources",
        "HeadphoneSources",
        "NetworkSources", "TestSupport", "MotionTools", "MotionRecording", "CoreMotion",
      ]),
    .testTarget(
      name: "CoreMotionTests",
      dependencies: [
        "CoreMotion", "MotionHost", "MotionHistory", "MotionServices", "MotionSensing", "MotionMath", "MotionTesting",
        "SimulatedSources", "HeadphoneSimulation", "MotionRecording", "HeadphoneSources",
        "TestSupport",
      ],
      exclude: ["Archives", "Coverage"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "MotionTestingTests",
      dependencies: [
        "MotionTesting", "MotionRecording", "CoreMotion", "MotionHost", "MotionSensing", "MotionMath",
        "SimulatedSources",
      ]),
    .testTarget(
      name: "MotionctlTests",
      dependencies: [
        "motionctl", "MotionTools", "MotionViewer", "LiveOutput", "CoreMotion", "MotionMath",
        "MotionRecording", "MotionNetwork",
        "MotionSensing", "OrientationFusion", "LinuxSources", "HeadphoneSources", "TestSupport",
        "MotionHistory", "SimulatedSources", "MotionServices", "MotionHost", "MotionTesting",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// On Apple's systems Core Motion belongs to the system, and clients keep this package out with a conditional
// dependency. For one that does not, the target is a single file there, which passes Apple's framework on, so that the
// module never hides it. The condition is here and not in each source file; a manifest knows the host only, not the
// platform it builds for: to cross-compile for Linux on a Mac, set OPENCOREMOTION_FOR_LINUX=1.
#if os(macOS)
if Context.environment["OPENCOREMOTION_FOR_LINUX"] == nil {
  package.targets.removeAll { ["CoreMotion", "CoreMotionSubmodules"].contains($0.name) }
  package.targets.append(.target(name: "CoreMotion", path: "Sources/CoreMotion/Darwin"))
}
#endif

// `BENCHMARKS=1 swift run -c release motion-benchmarks` measures what the README quotes (`make bench`). The benchmarks
// see what is not public, so they are targets of this package; without the variable they are neither resolved nor
// built.
if Context.environment["BENCHMARKS"] != nil {
  package.products += [
    .executable(name: "motion-benchmarks", targets: ["MotionBenchmarks"]),
    // Preloaded (LD_PRELOAD) to count allocations.
    .library(name: "AllocationCounter", type: .dynamic, targets: ["AllocationCounter"]),
  ]
  package.targets += [
    .target(name: "AllocationCounter", path: "Benchmarks/Sources/AllocationCounter"),
    .executableTarget(
      name: "MotionBenchmarks",
      dependencies: [
        "CoreMotion", "MotionHost", "MotionServices", "MotionSensing", "MotionMath", "OrientationFusion",
        "SimulatedSources", "LinuxSources",
      ],
      path: "Benchmarks/Sources/MotionBenchmarks"),
  ]
}

// Programs of clients, as targets of this package so that they share its build. `make test` and `make demo` set
// CLIENTS=1. Without it they do not exist, and `swift run` has one program to run: motionctl.
let testTargets = Context.environment["TEST_TARGETS"]?.split(separator: ",").map(String.init)
let clients: [Target] = [
  // With a mistake in it: a test expects it to stop.
  .executableTarget(
    name: "main-actor-misuse", dependencies: ["CoreMotion"], path: "Tests/Fixtures/MainActorMisuse",
    packageAccess: false),
  // Without a mistake, in both language modes from the same files (one folder is a link). A test runs them; it does not
  // link them, because they conform the module's structs to Equatable and the like.
  .target(name: "OtherLocationNames", path: "Tests/Fixtures/OtherLocationNames"),
  .executableTarget(
    name: "client-swift5", dependencies: ["CoreMotion", "OtherLocationNames"], path: "Tests/Fixtures/ClientSwift5",
    packageAccess: false, swiftSettings: [.swiftLanguageMode(.v5)]),
  .executableTarget(
    name: "client-swift6", dependencies: ["CoreMotion", "OtherLocationNames"], path: "Tests/Fixtures/ClientSwift6",
    packageAccess: false),
  // An app's code, for the demo.
  .executableTarget(
    name: "MotionPrinter", dependencies: ["CoreMotion", "MotionRecording"], path: "Examples/Sources/MotionPrinter",
    packageAccess: false,
    swiftSettings: [.swiftLanguageMode(.v5)]),
]
if Context.environment["CLIENTS"] != nil || testTargets?.contains("CoreMotionTests") == true {
  package.targets += clients
}
// Recordings with truth, and the filter's errors on them: a program of the benchmarks, with tests like any other.
if ["BENCHMARKS", "CLIENTS"].contains(where: { Context.environment[$0] != nil })
  || testTargets?.contains("AccuracyTrialsTests") == true
{
  package.targets += [
    .target(
      name: "AccuracyTrials",
      dependencies: [
        "MotionMath", "OrientationFusion", "OrientationSmoothing", "MotionSensing", "MotionRecording",
        "MotionServices", "MotionTools", "CZlib",
      ],
      path: "Benchmarks/Sources/AccuracyTrials"),
    .executableTarget(
      name: "motion-accuracy",
      dependencies: [
        "AccuracyTrials", "MotionTools", "MotionMath", "MotionRecording", "MotionSensing",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["CommandLine"])),
      ],
      path: "Benchmarks/Sources/MotionAccuracy"),
    .testTarget(
      name: "AccuracyTrialsTests",
      dependencies: [
        "TestSupport", "AccuracyTrials", "motion-accuracy", "MotionTools", "MotionMath", "MotionRecording",
        "MotionSensing",
        "OrientationFusion",
      ]),
  ]
}
// Writes a history until a test kills it.
if Context.environment["CLIENTS"] != nil || testTargets?.contains("MotionHistoryTests") == true {
  package.targets.append(
    .executableTarget(
      name: "history-writer",
      dependencies: ["MotionHistory", "MotionHost", "MotionServices", "MotionSensing", "MotionMath"],
      path: "Tests/Fixtures/HistoryWriter"))
}

// The parsers of bytes from outside for libFuzzer, which has a `main` of its own: Scripts/fuzz.sh.
if Context.environment["FUZZ"] != nil {
  package.products.append(.executable(name: "motion-fuzz", targets: ["motion-fuzz"]))
  package.targets.append(
    .executableTarget(
      name: "motion-fuzz",
      dependencies: [
        "ActivityEstimation", "ActivitySummary", "HeadphoneSources", "LinuxSources", "MotionTools", "MotionHistory",
        "MotionRecording", "MotionServices",
      ], path: "Tests/Fuzz"))
}

// `TEST_TARGETS=MotionMathTests,CoreMotionTests swift test` builds and runs these test targets only.
if let testTargets {
  package.targets.removeAll { $0.type == .test && !testTargets.contains($0.name) }
}

// Clients have the settings of anybody's program.
for target in package.targets
where target.type != .system && !clients.contains(where: { $0 === target }) {
  target.swiftSettings =
    [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ] + (target.swiftSettings ?? [])
}

// `make test` sets OPTIMIZED=1: the mathematics is compiled as for a release, because its tests compute for minutes
// otherwise. SwiftPM takes such flags from the root package only.
if Context.environment["OPTIMIZED"] != nil, !isDependency {
  let mathematics = [
    "MotionMath", "OrientationFusion", "OrientationSmoothing", "ActivityEstimation", "ActivitySummary",
    "SimulatedSources",
  ]
  for target in package.targets where mathematics.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-O"])]
  }
}

// CI sets WARNINGS_AS_ERRORS=1. SwiftPM ignores it where this package is a dependency.
if Context.environment["WARNINGS_AS_ERRORS"] != nil {
  for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    target.cSettings = (target.cSettings ?? []) + [.treatAllWarnings(as: .error)]
  }
}
