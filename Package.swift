// swift-tools-version:6.2
// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The one variable that this manifest reads; `make` sets it to 1, a client has no use for it. Another value compiles everything again.
//   1          the programs of the tests, of the demo and of the benchmarks as well, and the mathematics as for a release, because its
//              tests compute for minutes otherwise
//   ci         the same, and a warning is an error
//   fuzz       the parsers of bytes from outside under libFuzzer's `main` (Scripts/fuzz.sh)
//   linux      on a Mac that compiles for Linux: a manifest sees the host only
//   NAME,NAME  these targets of tests and no others
let develop = Context.environment["OPENCOREMOTION_DEVELOP"] ?? ""
let testTargets =
  ["", "1", "ci", "fuzz", "linux"].contains(develop) ? nil : develop.split(separator: ",").map(String.init)

// The rooms. A target may depend on lower layers only; `make test` builds with `--explicit-target-dependency-import-check error`.
func core(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies)
}
func addOn(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "AddOns/\(name)", resources: resources)
}
func tool(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Tools/\(name)", resources: resources)
}
// A program of a client, which has the settings of anybody's program and sees what is public.
func client(_ name: String, _ path: String, _ dependencies: [Target.Dependency], _ mode: SwiftLanguageMode = .v6)
  -> Target
{
  .executableTarget(
    name: name, dependencies: dependencies, path: path, packageAccess: false, swiftSettings: [.swiftLanguageMode(mode)])
}
// Static, because SwiftPM builds a product alone (`swift build --product CoreMotion`) only if its kind is declared. A program is linked
// with the objects of the modules either way.
func library(_ name: String, _ targets: [String]) -> Product { .library(name: name, type: .static, targets: targets) }
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
// What the tests of more than one target see.
let coreTargets: [Target.Dependency] = [
  "MotionMath", "OrientationFusion", "ActivityEstimation", "CMotionSystem", "MotionSensing", "SimulatedSources",
  "HeadphoneSimulation", "LinuxSources", "MotionServices", "MotionHost", "CoreMotion", "MotionTesting",
]
let addOnTargets: [Target.Dependency] = [
  "OrientationSmoothing", "SensorPlausibility", "MotionNetwork", "PhoneFormats", "NetworkSources", "HeadphoneSources",
  "CZlib", "MotionRecording", "CSQLite", "MotionHistory", "TestSupport",
]
func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], packageAccess: Bool = true,
  _ mode: SwiftLanguageMode = .v6
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude, packageAccess: packageAccess,
    swiftSettings: [.swiftLanguageMode(mode)])
}
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["CommandLine"]))

let package = Package(
  name: "OpenCoreMotion",
  products: [
    // Programs: Apple's classes, the host that chooses their source, the sensors of this computer and simulated ones.
    library("CoreMotion", ["CoreMotion", "MotionHost"]),
    // Add-ons; each registers its sources when it is linked. No line of a program names it.
    library("MotionRecording", ["MotionRecording"]),  // replay:, and recording
    library("MotionPhones", ["NetworkSources"]),  // phone:
    library("MotionHeadphones", ["HeadphoneSources", "HeadphoneSimulation"]),  // airpods:, headtracker:
    library("MotionHistory", ["MotionHistory"]),  // the recorder's steps, activities and accelerations
    // Tests of such programs, and of sources.
    library("MotionTesting", ["MotionTesting"]),
    // People who add a source.
    library("MotionSensing", ["MotionSensing", "MotionMath", "LinuxSources", "SimulatedSources"]),
    // The filter, and the smoother of recordings.
    library("OrientationFusion", ["OrientationFusion", "OrientationSmoothing", "MotionMath"]),
    .executable(name: "motionctl", targets: ["motionctl"]),
  ],
  traits: [
    .trait(name: "SinglePrecision", description: "The orientation filter computes in Float instead of Double."),
    .trait(
      name: "CommandLine", description: "motionctl. Without it (`traits: []`) swift-argument-parser is not fetched."),
    .default(enabledTraits: ["CommandLine"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
  ],
  targets: [
    // Sources, layer 0: pure mathematics. No Foundation; builds as Embedded Swift.
    core("MotionMath"),
    core("OrientationFusion", ["MotionMath"]),
    core("ActivityEstimation", ["MotionMath"]),
    core("ActivitySummary", ["ActivityEstimation", "MotionMath"]),
    // Layer 1: the contract between sources and services.
    core("CMotionSystem"),
    core("MotionSensing", ["MotionMath", "CMotionSystem"]),
    // Layer 2: sources. They never import each other.
    core("SimulatedSources", ["MotionMath", "MotionSensing"]),
    core("HeadphoneSimulation", ["MotionMath", "MotionSensing", "SimulatedSources"]),
    core("LinuxSources", ["MotionMath", "MotionSensing", "CMotionSystem"]),
    // Layer 3: estimators and the hub.
    core(
      "MotionServices", ["MotionMath", "OrientationFusion", "ActivityEstimation", "MotionSensing", "CMotionSystem"]),
    // Layer 4: addresses and policy. It has no source by name: the registry has those of the linked products.
    core("MotionHost", ["MotionMath", "OrientationFusion", "MotionSensing", "MotionServices", logging]),
    // Layer 5: Apple's dialect, in Swift 5 mode so that a client's misuse of a background queue traps instead of racing in silence
    // (Documentation/Design.md). It names the sources of every computer, so that they are linked with it also by hand.
    .systemLibrary(name: "CoreMotionSubmodules"),
    .target(
      name: "CoreMotion",
      dependencies: [
        "MotionMath", "CMotionSystem", "MotionSensing", "MotionServices", "MotionHost", "CoreMotionSubmodules",
        "LinuxSources", "SimulatedSources",
      ],
      exclude: ["Darwin"], swiftSettings: [.swiftLanguageMode(.v5)]),
    core(
      "MotionTesting",
      [
        "MotionMath", "MotionSensing", "MotionServices", "SimulatedSources", "HeadphoneSimulation", "MotionHost",
        "CoreMotion",
      ]),

    addOn("OrientationSmoothing", ["MotionMath", "OrientationFusion"]),
    addOn("SensorPlausibility", ["MotionMath"]),  // for the C library and for readers: Embedded Swift, too
    // Servers of the local network; what phones' loggers write and send.
    addOn("CMotionTLS", []),
    addOn("MotionNetwork", ["MotionSensing", "CMotionSystem", "CMotionTLS"]),
    addOn("PhoneFormats", ["MotionMath", "MotionSensing"]),
    addOn(
      "NetworkSources", ["MotionMath", "MotionSensing", "MotionNetwork", "PhoneFormats", "CMotionSystem"],
      resources: ["index.html", "page.css", "page.js", "motion.js"].map { .embedInCode("Browser/Page/\($0)") }),
    addOn("HeadphoneSources", ["MotionMath", "MotionSensing", "CMotionSystem"]),
    .systemLibrary(
      name: "CZlib", path: "AddOns/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    addOn(
      "MotionRecording",
      [
        "MotionMath", "SensorPlausibility", "OrientationFusion", "MotionSensing", "PhoneFormats", "MotionServices",
        "MotionHost", "CMotionSystem", "CZlib",
      ]),
    .systemLibrary(
      name: "CSQLite", path: "AddOns/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    addOn("MotionHistory", ["MotionMath", "MotionSensing", "MotionServices", "MotionHost", "CSQLite"]),

    // Ways out to other programs; what the commands do; the viewer; the commands.
    tool("LiveOutput", ["MotionMath", "MotionSensing", "MotionNetwork"]),
    tool(
      "MotionTools",
      [
        "MotionMath", "OrientationFusion", "OrientationSmoothing", "ActivitySummary", "MotionSensing",
        "MotionRecording",
        "MotionServices", "MotionHistory", "MotionHost", "CoreMotion", "LinuxSources", "SimulatedSources",
        "HeadphoneSources",
        "NetworkSources", logging,
      ]),
    tool(
      "MotionViewer",
      [
        "MotionMath", "MotionSensing", "MotionNetwork", "MotionRecording", "MotionServices", "MotionHost",
        "MotionTools",
        "NetworkSources",
      ],
      resources: [.embedInCode("Page")]),  // 80 kB, so that the program is one file
    .executableTarget(
      name: "motionctl",
      dependencies: [
        "MotionMath", "ActivitySummary", "MotionSensing", "MotionRecording", "MotionServices", "MotionHistory",
        "MotionHost",
        "CoreMotion", "HeadphoneSimulation", "LinuxSources", "LiveOutput", "MotionNetwork", "NetworkSources",
        "HeadphoneSources",
        "MotionTools", "MotionViewer", argumentParser, logging,
      ],
      path: "Tools/motionctl", resources: [.embedInCode("Licences")]),

    // What tests have in common.
    .target(
      name: "TestSupport",
      dependencies: [
        "MotionMath", "MotionSensing", "MotionRecording", "SimulatedSources", "HeadphoneSimulation", "HeadphoneSources",
      ],
      path: "Tests/TestSupport"),
    tests(
      "OrientationFusionTests",
      ["OrientationFusion", "OrientationSmoothing", "MotionMath", "SimulatedSources"],
      exclude: ["Golden"]),
    tests("MotionSensingTests", coreTargets + ["TestSupport"]),
    tests("MotionServicesTests", coreTargets + addOnTargets + ["MotionTools"]),
    tests("MotionHostTests", coreTargets + addOnTargets + ["MotionTools"]),
    tests("CoreMotionTests", coreTargets + addOnTargets, exclude: ["Archives", "Coverage"], .v5),
    // As a client: the kit's tests see what is public.
    tests("MotionTestingTests", coreTargets + ["MotionRecording"], packageAccess: false),
    tests("LinuxSourcesTests", coreTargets + addOnTargets),
    tests("MotionRecordingTests", coreTargets + addOnTargets),
    tests("NetworkSourcesTests", coreTargets + addOnTargets + ["MotionTools"], exclude: ["decode-qr.py"]),
    tests("LiveOutputTests", coreTargets + addOnTargets + ["LiveOutput"]),
    tests("MotionctlTests", coreTargets + addOnTargets + ["LiveOutput", "MotionTools", "MotionViewer", "motionctl"]),
  ],
  swiftLanguageModes: [.v6]
)

// On Apple's systems Core Motion belongs to the system, and clients keep this package out with a conditional dependency. For one that
// does not, the target is a single file there, which passes Apple's framework on, so that the module never hides it.
#if os(macOS)
if develop != "linux" {
  package.targets.removeAll { ["CoreMotion", "CoreMotionSubmodules"].contains($0.name) }
  package.targets.append(.target(name: "CoreMotion", path: "Sources/CoreMotion/Darwin"))
}
#endif

// Programs of clients, as targets of this package so that they share its build.
var clients: [Target] = []
if !["", "linux"].contains(develop), testTargets == nil {
  clients = [
    // With a mistake in it: a test expects it to stop.
    client("main-actor-misuse", "Tests/Fixtures/MainActorMisuse", ["CoreMotion"]),
    // Without a mistake, in both language modes from the same files (one folder is a link). A test runs them; it does not link them,
    // because they conform the module's structs to Equatable and the like.
    client("client-swift5", "Tests/Fixtures/ClientSwift5", ["CoreMotion", "OtherLocationNames"], .v5),
    client("client-swift6", "Tests/Fixtures/ClientSwift6", ["CoreMotion", "OtherLocationNames"]),
    // An app's code, for the demo.
    client("MotionPrinter", "Examples/Sources/MotionPrinter", ["CoreMotion", "MotionRecording"], .v5),
  ]
  package.targets += clients
  package.targets += [
    .target(name: "OtherLocationNames", path: "Tests/Fixtures/OtherLocationNames"),
    // Writes a history until a test kills it.
    .executableTarget(
      name: "history-writer",
      dependencies: ["MotionHistory", "MotionHost", "MotionServices", "MotionSensing", "MotionMath"],
      path: "Tests/Fixtures/HistoryWriter"),
    // `make bench`: what the README quotes. AllocationCounter is preloaded (LD_PRELOAD).
    .executableTarget(
      name: "motion-benchmarks", dependencies: coreTargets, path: "Benchmarks/Sources/MotionBenchmarks"),
    .target(name: "AllocationCounter", path: "Benchmarks/Sources/AllocationCounter"),
  ]
  package.products.append(.library(name: "AllocationCounter", type: .dynamic, targets: ["AllocationCounter"]))
}
if develop == "fuzz" {
  package.targets.append(
    .executableTarget(
      name: "motion-fuzz", dependencies: coreTargets + addOnTargets + ["ActivitySummary", "MotionTools"],
      path: "Tests/Fuzz"))
}
if let testTargets { package.targets.removeAll { $0.type == .test && !testTargets.contains($0.name) } }

// Clients have the settings of anybody's program.
let computing = [
  "MotionMath", "OrientationFusion", "OrientationSmoothing", "ActivityEstimation", "ActivitySummary",
  "SimulatedSources", "SensorPlausibility",
]
for target in package.targets where target.type != .system {
  if !clients.contains(where: { $0 === target }) {
    target.swiftSettings =
      ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"].map { .enableUpcomingFeature($0) }
      + (target.swiftSettings ?? [])
  }
  if !develop.isEmpty, computing.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-O"])]
  }
  if develop == "ci" {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    target.cSettings = (target.cSettings ?? []) + [.treatAllWarnings(as: .error)]
  }
}
