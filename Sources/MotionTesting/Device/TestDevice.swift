// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionHost
import MotionMath
import MotionRecording
public import MotionSensing
import SimulatedSources

/// A device in the hands of a test: the test moves it, moves its time, pulls its plug and takes its permissions away.
///
/// `withMotion` makes one and runs the test inside; managers made there, or in their
/// handlers, belong to it, and to no other test. Where no scope can be bound around the code, as in XCTest's `setUp`, make one
/// and ``install()`` it.
///
/// Time stands still until the test moves it, so a test of an hour's walk takes moments and gives the same numbers each time.
public final class TestDevice: Sendable {
  /// What a device moves by.
  enum Motion: Sendable {
    case script(MotionScript, SimulatedSource)
    case source
    case none
  }

  /// The host that managers find.
  public let host: MotionHost
  /// The clock; only ``advance(by:)`` and its relatives move it.
  public let clock: VirtualClock
  let motion: Motion
  let setup: MotionSetup
  let source: UnpluggableSource?
  let headphones: UnpluggableSource?
  private let installation = Lock<MotionHost.Installation?>(nil)

  /// The process outside every scope has no sensors once the kit is in use: no test touches real hardware by accident. What a
  /// test has installed itself stays on top.
  private static let processWithoutSensors = MotionHost().install(belowAll: true)

  private init(_ motion: Motion, _ source: (any SensorSource)?, _ setup: MotionSetup) {
    _ = Self.processWithoutSensors
    self.motion = motion
    self.setup = setup
    self.source = source.map { UnpluggableSource($0) }
    headphones = setup.headphones.map {
      UnpluggableSource(SimulatedHeadphones(trajectory: $0.trajectory))
    }
    clock = VirtualClock()
    host = MotionHost(
      device: self.source, headphones: headphones, clock: clock, policy: setup.policy, location: setup.location)
  }

  /// A device that is moved as the script says, from the first start of updates on.
  public convenience init(_ script: MotionScript, _ setup: MotionSetup = MotionSetup()) {
    let source = SimulatedSource(
      trajectory: script.trajectory, configuration: setup.configuration, name: "motion script")
    self.init(.script(script, source), source, setup)
  }

  /// A device that does what a recording says; its sensors are those of the file. Throws when it cannot be read.
  public convenience init(recording path: String, _ setup: MotionSetup = MotionSetup()) throws(SensorError) {
    self.init(.source, try ReplaySource(path: path, options: [:]), setup)
  }

  /// A device over a source of your own, such as a ``ScriptedSource``.
  public convenience init(source: any SensorSource, _ setup: MotionSetup = MotionSetup()) {
    self.init(.source, source, setup)
  }

  /// A device without any motion sensor; every service is unavailable.
  public convenience init(withoutSensors setup: MotionSetup = MotionSetup()) { self.init(.none, nil, setup) }

  /// Runs `body` with this device in scope.
  public func run<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await host.run(isolation: isolation, body)
  }

  /// Makes this the device of the whole process until ``remove()``: for XCTest's `setUp` and `tearDown`, and for code that makes
  /// its managers on queues and threads of its own, where no scope reaches. Such tests must not run side by side.
  public func install() {
    let new = host.install()
    let old = installation.withLock { stored in
      defer { stored = new }
      return stored
    }
    old?.remove()
  }

  /// Ends ``install()``.
  public func remove() {
    let old = installation.withLock { stored in
      defer { stored = nil }
      return stored
    }
    old?.remove()
  }
}
