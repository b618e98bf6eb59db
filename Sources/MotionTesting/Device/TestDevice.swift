// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import CoreMotion
public import MotionHost
import MotionMath
import MotionRecording
public import MotionSensing
import MotionServices
public import SimulatedSources

// A test that sets the location of a device needs no other import. A typealias cannot say this: the module has a class of its own name.
@_exported public import struct MotionHost.GeographicLocation

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

/// What happens to the device besides being moved. Each takes effect at once and returns when the handlers have heard of it.
extension TestDevice {
  /// Permission, entitlements, workout; a change applies to services that run already. See also ``deny()``.
  public var policy: HostPolicy {
    get { host.policy }
    set { host.policy = newValue }
  }

  /// Where the device is, for true north; nil = unknown.
  public var location: GeographicLocation? {
    get { host.location }
    set { host.location = newValue }
  }

  /// Makes a change and waits until the handlers have seen its consequences.
  private func settled(_ change: () -> Void) async {
    change()
    await clock.settle()
  }

  /// The person takes the permission away: nothing arrives any more.
  public func deny() async { await settled { host.policy.authorization = .denied } }

  /// The person gives the permission back.
  public func allow() async { await settled { host.policy.authorization = .authorized } }

  /// The app goes to the background: services stay active and hear nothing.
  public func suspend() async { await settled { host.suspend() } }

  /// The app comes back.
  public func resume() async { await settled { host.resume() } }

  /// The sensor is gone: handlers are told one error, and latest-sample properties are nil.
  public func unplug() async { await settled { source?.setPlugged(false) } }

  /// The sensor is back; samples come again within half a second of the device's time.
  public func replug() async { await settled { source?.setPlugged(true) } }

  /// The link to the headphones is lost.
  public func disconnectHeadphones() async { await settled { headphones?.setPlugged(false) } }

  /// The link is back; the connection is told within half a second of the device's time.
  public func connectHeadphones() async { await settled { headphones?.setPlugged(true) } }
}

extension TestDevice {
  /// Moves time on and returns when every sample of it has been delivered and every handler has returned.
  ///
  /// It waits for handlers on any queue. A handler that blocks for ever, or a suspended queue, keeps it waiting.
  public func advance(by duration: Duration) async {
    let (seconds, attoseconds) = duration.components
    await clock.advance(by: SensorDuration(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
  }

  /// Moves time on in steps until the condition holds, at most `limit` of the device's time.
  ///
  /// ```swift
  /// try await device.advance(until: { detector.count == 3 }, within: .seconds(5))
  /// ```
  ///
  /// Throws `.limitExceeded` when it has not come to hold; the message says what the device has delivered meanwhile.
  public func advance(
    until condition: () -> Bool, within limit: Duration = .seconds(60), step: Duration = .milliseconds(10),
    isolation: isolated (any Actor)? = #isolation
  ) async throws(SensorError) {
    precondition(step > .zero, "The step of advance(until:) must be longer than zero.")
    await clock.settle()
    var passed = Duration.zero
    while !condition() {
      guard passed < limit else {
        throw SensorError(
          .limitExceeded,
          "The condition did not become true within \(limit) of the device's time. \(listenersSentence)")
      }
      await advance(by: step)
      passed += step
    }
  }

  /// Moves time on to the end of the script, or of the recording; of the longer one where headphones have a script too.
  ///
  /// Throws `.invalidRequest` when no updates are running: the motion then has not begun.
  public func playToEnd() async throws(SensorError) {
    await clock.settle()
    guard source?.firstRun != nil || headphones?.firstRun != nil else {
      throw SensorError(.invalidRequest, "There is nothing to play to the end: \(listenersSentence)")
    }
    if source?.firstRun != nil, case .source = motion { try await playRecording() }
    if let first = source?.firstRun, case .script(let script, _) = motion {
      await advance(to: first, plus: script.duration)
    }
    if let first = headphones?.firstRun, let script = setup.headphones {
      await advance(to: first, plus: script.duration)
    }
  }

  /// Returns when every sample that is due has been handled, without moving time.
  public func waitUntilHandlersHaveSeenEverything() async { await clock.settle() }

  /// Seconds that have passed since the device was made.
  public var elapsed: Double { clock.now.seconds }

  /// The true motion at the time stamp of a sample of a scripted device; nil before the first start of updates, and for
  /// devices without a script.
  public func truth(at sample: CMLogItem) -> TrajectoryState? {
    guard case .script(_, let source) = motion, let time = SensorInstant(seconds: sample.timestamp) else { return nil }
    return source.truth(at: time)
  }

  private func advance(to start: SensorInstant, plus seconds: Double) async {
    guard let duration = SensorDuration(seconds: seconds) else { return }
    let rest = start + duration - clock.now
    if rest > .zero { await clock.advance(by: rest) }
  }

  /// A day is longer than any recording that a test should play.
  private func playRecording() async throws(SensorError) {
    for _ in 0..<86_400 {
      guard let hub = host.device, !hub.hasEnded else { return }
      guard hub.isRunning else {
        throw SensorError(.invalidRequest, "The recording has stopped before its end: \(listenersSentence)")
      }
      await clock.advance(by: .seconds(1))
    }
    throw SensorError(
      .limitExceeded, "The recording or source did not end within a day; use advance(by:) for one that has no end.")
  }

  /// What is wrong when nothing arrives, for messages.
  private var listenersSentence: String {
    if !host.policy.allowsMotion { return "The policy of the device does not allow motion." }
    if let problem = host.device?.failure { return problem.message }
    if host.device?.isRunning ?? false || host.headphones?.isRunning ?? false {
      return "Updates are running; \(source.map { "the source is \($0.info.name)" } ?? "there is no device")."
    }
    if source == nil, headphones == nil { return "The device has no sensors." }
    return
      "Nothing listens to the device. Start updates of a manager that is created inside withMotion, or install() the device."
  }
}
