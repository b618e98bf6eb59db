// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import CoreMotion
import HeadphoneSimulation
public import MotionHost
import MotionMath
public import MotionSensing
import MotionServices
public import SimulatedSources

// A test that sets the location of a device needs no other import. A typealias is not possible: the module has a class
// of the same name.
@_exported public import struct MotionHost.GeographicLocation

/// A device that a test controls: the test moves it, advances its time, unplugs it and revokes its permissions.
///
/// `withMotion` creates one and runs the test with it; managers created there, or in their handlers, belong only to
/// this device. If no scope can be bound around the code, as in XCTest's `setUp`, create one and ``install()`` it.
///
/// Time stands still until the test advances it, so a test of an hour's walk takes seconds and gives the same numbers
/// in every run.
public final class TestDevice: Sendable {
  /// The source of a device's motion.
  enum Motion: Sendable {
    case script(MotionScript, SimulatedSource)
    case source
    case none
  }

  /// The host that managers use.
  public let host: MotionHost
  /// The clock; only ``advance(by:)`` and similar methods advance it.
  public let clock: VirtualClock
  let motion: Motion
  let setup: MotionSetup
  private let start: SensorInstant
  let source: UnpluggableSource?
  let headphones: UnpluggableSource?
  private let installation = Lock<MotionHost.Installation?>(nil)
  private let hasWaited = Lock(false)

  private init(_ motion: Motion, _ source: (any SensorSource)?, _ setup: MotionSetup) {
    let script: MotionScript? = if case .script(let script, _) = motion { script } else { nil }
    do { try setup.check(script) } catch { fatalError("\(error)") }
    self.motion = motion
    self.setup = setup
    self.source = source.map { UnpluggableSource($0) }
    headphones = setup.headphones.map {
      UnpluggableSource(SimulatedHeadphones(trajectory: $0.trajectory))
    }
    clock = setup.pace == .realTime ? VirtualClock(at: MonotonicClock().now) : VirtualClock()
    start = clock.now
    host = MotionHost(
      device: self.source, headphones: headphones, clock: clock, policy: setup.policy, location: setup.location)
  }

  /// A device that moves by the script, from the first start of updates.
  public convenience init(_ script: MotionScript, _ setup: MotionSetup = MotionSetup()) {
    let source = SimulatedSource(
      trajectory: script.trajectory, configuration: setup.configuration, name: "motion script")
    self.init(.script(script, source), source, setup)
  }

  /// A device that replays a recording; its sensors are those of the file. Throws when it cannot be read, and, with
  /// the line for Package.swift, where the product MotionRecording is not linked into the tests.
  public convenience init(recording path: String, _ setup: MotionSetup = MotionSetup()) throws(SensorError) {
    try setup.check()
    self.init(.source, try SourceCatalog().open(SourceURI(scheme: "replay", path: path)).source, setup)
  }

  /// A device with your own source, such as a `ScriptedSource`.
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

  /// Makes this the device of the whole process until ``remove()``: for XCTest's `setUp` and `tearDown`, and for code
  /// that creates its managers on its own queues and threads, outside any scope. Such tests must not run in parallel.
  public func install() {
    let new = host.install()
    let old = installation.withLock { exchange(&$0, with: new) }
    old?.remove()
  }

  /// Ends ``install()``.
  public func remove() {
    let old = installation.withLock { exchange(&$0, with: nil) }
    old?.remove()
  }
}

/// Events of the device apart from motion. Each takes effect at once and returns when the handlers were informed.
extension TestDevice {
  /// Permission, entitlements, workout; a change also applies to running services. See also ``deny()``.
  public var policy: HostPolicy {
    get { host.policy }
    set { host.policy = newValue }
  }

  /// The location of the device, for true north; nil = unknown.
  public var location: GeographicLocation? {
    get { host.location }
    set { host.location = newValue }
  }

  /// Makes a change and waits until the handlers have seen its consequences.
  private func settled(_ change: () -> Void) async {
    change()
    await clock.settle()
  }

  /// Revokes the permission: no more samples arrive.
  public func deny() async { await settled { host.policy.authorization = .denied } }

  /// Grants the permission again.
  public func allow() async { await settled { host.policy.authorization = .authorized } }

  /// Moves the app to the background: services stay active and get no samples.
  public func suspend() async { await settled { host.suspend() } }

  /// Moves the app to the foreground.
  public func resume() async { await settled { host.resume() } }

  /// Unplugs the sensor: handlers get one error, and latest-sample properties are nil.
  public func unplug() async { await settled { source?.setPlugged(false) } }

  /// Plugs the sensor in again; samples arrive within half a second of the device's time.
  public func replug() async { await settled { source?.setPlugged(true) } }

  /// Disconnects the headphones.
  public func disconnectHeadphones() async { await settled { headphones?.setPlugged(false) } }

  /// Connects the headphones; the connection is reported within half a second of the device's time.
  public func connectHeadphones() async { await settled { headphones?.setPlugged(true) } }
}

extension TestDevice {
  /// Advances time and returns when every sample of this time was delivered and every handler has returned.
  ///
  /// It waits for handlers on any queue. It does not return while a handler blocks or a queue is suspended. The first
  /// call waits for a task that has not started its updates yet: in real time, for half a second or a little more.
  public func advance(by duration: Duration) async {
    if !hasWaited.withLock({ exchange(&$0, with: true) }) { await waitForFirstListener() }
    let (seconds, attoseconds) = duration.components
    await pass(SensorDuration(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
  }

  /// Advances time in steps until the condition is true, by at most `limit` of the device's time.
  ///
  /// ```swift
  /// try await device.advance(until: { detector.count == 3 }, within: .seconds(5))
  /// ```
  ///
  /// Throws `.limitExceeded` when the condition did not become true; the message says what the device delivered.
  public func advance(
    until condition: () -> Bool, within limit: Duration = .seconds(60), step: Duration = .milliseconds(10),
    isolation: isolated (any Actor)? = #isolation
  ) async throws(SensorError) {
    require(step > .zero, "The step of advance(until:) must be longer than zero.")
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

  /// Advances time to the end of the script or the recording; to the longer one if headphones have a script too.
  ///
  /// A task that starts the updates may not have begun: this waits for it as ``advance(by:)`` does, and throws
  /// `.invalidRequest` when no updates are running then.
  public func playToEnd() async throws(SensorError) {
    await waitForFirstListener()
    guard hasBegun else {
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

  /// Returns when every due sample was handled, without advancing time.
  public func waitUntilHandlersHaveSeenEverything() async { await clock.settle() }

  /// The date that the run has reached: what `Date()` is to a person who carries the device. Dates in the delivered data
  /// and in questions about the past are on the same clock.
  ///
  /// Pass it to code that takes a clock: `Workout(now: { device.now })`. Code that calls `Date()` itself may start
  /// services with it: a start from the present of the wall clock counts from here.
  public var now: Date { host.now }

  /// Seconds since the device was created.
  public var elapsed: Double { (clock.now - start).seconds }

  /// The true motion at the time stamp of a sample of a scripted device; nil before the first start of updates, and for
  /// devices without a script.
  public func truth(at sample: CMLogItem) -> TrajectoryState? {
    guard case .script(_, let source) = motion, let time = SensorInstant(seconds: sample.timestamp) else { return nil }
    return source.truth(at: time)
  }

  /// The steps that the person of the script has taken by now, exactly; 0 before the first start of updates, and for
  /// devices without a script.
  public var stepCount: Int {
    guard case .script(_, let source) = motion else { return 0 }
    return source.stepCount(at: clock.now) ?? 0
  }

  private func advance(to start: SensorInstant, plus seconds: Double) async {
    guard let duration = SensorDuration(seconds: seconds) else { return }
    let rest = start + duration - clock.now
    if rest > .zero { await pass(rest) }
  }

  /// Whether updates have been started.
  private var hasBegun: Bool { source?.firstRun != nil || headphones?.firstRun != nil }

  private func waitForFirstListener() async {
    await clock.settle()
    let mayBegin = host.policy.allowsMotion && (source != nil || headphones != nil)
    for _ in 0..<500 where mayBegin && !hasBegun { try? await Task.sleep(for: .milliseconds(1)) }
    await clock.settle()
  }

  /// Lets time pass, at the pace of the setup.
  private func pass(_ duration: SensorDuration) async {
    guard setup.pace == .realTime else { return await clock.advance(by: duration) }
    // Time has passed since the last call, too.
    await clock.advance(by: MonotonicClock().now - clock.now)
    let end = clock.now + duration
    while clock.now < end {
      await clock.advance(by: min(.milliseconds(10), end - clock.now))
      let due = Date(timeIntervalSinceNow: (clock.now - MonotonicClock().now).seconds)
      // The loop returns at once when it has neither a timer nor a source.
      await MainActor.run { if Thread.isMainThread { RunLoop.main.run(until: due) } }
      try? await Task.sleep(for: .seconds(max(0, due.timeIntervalSinceNow)))
    }
  }

  /// A day is longer than any recording that a test should play.
  private func playRecording() async throws(SensorError) {
    for _ in 0..<86_400 {
      guard let hub = host.device, !hub.hasEnded else { return }
      guard hub.isRunning else {
        throw SensorError(.invalidRequest, "The recording has stopped before its end: \(listenersSentence)")
      }
      await pass(.seconds(1))
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
