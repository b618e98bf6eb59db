// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import MotionSensing
package import MotionServices
import Synchronization

/// Where everything is put together: which source plays which role, on which clock, under which policy.
///
/// A program never needs to name it: `import CoreMotion` finds the process's host, made from the environment variable
/// `MOTION_SOURCE` at the first use. A test makes its own and binds it to a scope:
///
/// ```swift
/// let host = MotionHost(device: source, clock: clock)
/// host.run {
///   let manager = CMMotionManager()   // lives on `host`, also in its handlers
/// }
/// ```
///
/// Look-up: the scope of the call, else the scope in which the manager was made, else the process's host.
public final class MotionHost: Sendable {
  private struct State {
    var policy: HostPolicy
    var isSuspended = false
    var location: GeographicLocation?
    /// Of the location: the magnetic model is not evaluated per sample.
    var declination: Double?
    var dipAngle: Double?
    var calibrationHook: CalibrationHook
    var detectors = MotionDetectors()
    var submersionHook: SubmersionHook?
    /// Lines that have been logged (``report(_:)``).
    var reported: Set<String> = []
    var absences: (device: String?, headphones: String?) = (nil, nil)
  }

  /// Called when a magnetometer wants the device to be moved and the program shows its calibration display (D23).
  public typealias CalibrationHook = @Sendable (_ notice: String) -> Void

  /// Called when a device that has a subscriber goes under water: stands for the automatic launch of Apple's systems.
  public typealias SubmersionHook = @Sendable () -> Void

  /// The sensors of the device itself; nil = there are none.
  package let device: MotionHub?
  /// The description of the device's sensors by their source; nil = there are none.
  public var deviceInfo: SensorInfo? { device?.info }
  /// Samples of the device's sensors that were dropped so far, because they were late, duplicate or not finite.
  public var droppedSampleCount: Int { device?.droppedCount ?? 0 }
  /// The sensors of connected headphones; nil = there are none.
  package let headphones: MotionHub?
  /// The clock that both hubs run on, unless the headphones were given a pace of their own.
  public let clock: any SensorClock
  /// Why the source that was asked for could not be opened; nil when it could, or when none was asked for.
  public let sourceProblem: SensorError?
  /// The same for the source of the headphones.
  public let headphonesProblem: SensorError?
  let observers = Lock(Keyed<@Sendable () -> Void>())
  /// How the device's time line lies on the wall clock.
  let dates: Lock<SampleDates>
  /// The same of the headphones.
  let headphonesDates: Lock<SampleDates>
  /// The recorder's file, and the history, made at first use.
  let past = Lock<(file: HistoryFile?, history: HostHistory?)>((nil, nil))
  private let returns = Atomic<Int>(0)
  private let strictness: Strictness?
  private let state: Lock<State>
  /// Whom the sources hold. Locked from looking at the gates to applying them, so that of two changes at once
  /// the later has the last word.
  private let hold = Lock(MotionHub.Hold.none)

  /// How the time of one source runs, as its address asks for.
  package struct Pace: Sendable {
    /// The clock: monotonic, or free-running at `speed=max`.
    package var clock: any SensorClock = MonotonicClock()
    /// How fast a recorded time line runs against it.
    package var rate = 1.0
    /// How long a recording waits for its audience.
    package var gate = MotionHub.Gate.open
    /// Whether a recording goes on where it stopped instead of beginning again.
    package var resumes = false
  }

  /// A host over the given sources; nil = no such sensors. Location nil = not known.
  public convenience init(
    device: (any SensorSource)? = nil, headphones: (any SensorSource)? = nil,
    clock: any SensorClock = MonotonicClock(), policy: HostPolicy = HostPolicy(), location: GeographicLocation? = nil
  ) {
    self.init(device: device, headphones: headphones, clock: clock, rate: 1, policy: policy, location: location)
  }

  /// A host whose device is the source at an address, as in `MOTION_SOURCE`. Location nil = not known.
  public convenience init(
    _ address: String, policy: HostPolicy = HostPolicy(), location: GeographicLocation? = nil
  ) throws(SensorError) {
    try self.init(address, gate: .open, policy: policy, location: location)
  }

  /// A host over the given sources; nil = no such sensors. `rate` is how fast a recorded time line runs against the
  /// clock; `resumes` and `headphonesPace` are as in ``Pace``; nil = the headphones keep the device's. `memory` keeps
  /// from run to run what is learned about the device, and nil, the default, starts every run with nothing.
  /// `strictness` nil = a source may fail.
  package init(
    device: (any SensorSource)? = nil, headphones: (any SensorSource)? = nil,
    clock: any SensorClock = MonotonicClock(), rate: Double = 1, gate: MotionHub.Gate = .open, resumes: Bool = false,
    policy: HostPolicy = HostPolicy(), location: GeographicLocation? = nil, sourceProblem: SensorError? = nil,
    headphonesPace: Pace? = nil, headphonesProblem: SensorError? = nil, memory: (any SensorMemory)? = nil,
    strictness: Strictness? = nil
  ) {
    (self.clock, self.strictness) = (clock, strictness)
    self.device = device.map {
      MotionHub(
        source: $0, clock: clock, rate: rate, gate: gate, resumes: resumes, memory: memory, watch: strictness?.watch($0)
      )
    }
    let pace = headphonesPace ?? Pace(clock: clock, rate: rate, gate: gate, resumes: resumes)
    dates = Lock(SampleDates(isLive: device?.info.origin == .hardware))
    headphonesDates = Lock(SampleDates(isLive: headphones?.info.origin == .hardware))
    self.headphones = headphones.map {
      MotionHub(
        source: $0, clock: pace.clock, rate: pace.rate, gate: pace.gate, resumes: pace.resumes,
        watch: strictness?.watch($0))
    }
    self.sourceProblem = sourceProblem
    self.headphonesProblem = headphonesProblem
    state = Lock(
      State(
        policy: policy, location: location, declination: location?.declination, dipAngle: location?.dipAngle,
        calibrationHook: { HostLog.notice($0) }))
    applyHold()
  }

  /// A host whose device is the source at an address. With a folder for memories a sensor of this computer is
  /// remembered there (``DeviceFolder/memory(of:)``), and with a folder for calibrations it is corrected by its
  /// file there; recordings and simulations never are.
  package convenience init(
    _ address: String, gate: MotionHub.Gate = .open, policy: HostPolicy = HostPolicy(),
    location: GeographicLocation? = nil, memories: DeviceFolder? = nil,
    calibrations: DeviceFolder? = nil
  ) throws(SensorError) {
    let entry = try SourceCatalog(calibrations: calibrations).open(try SourceURI(address), gate: gate)
    let pace = entry.pace
    self.init(
      device: entry.source, clock: pace.clock, rate: pace.rate, gate: pace.gate, resumes: pace.resumes, policy: policy,
      location: location, memory: memories?.memory(of: entry.source.info))
  }

  // MARK: Policy

  /// The gates; a change applies at once.
  public var policy: HostPolicy {
    get { state.withLock { $0.policy } }
    set {
      state.withLock { $0.policy = newValue }
      applyHold()
      announceChange()
    }
  }

  /// What was handed to the host because no sensor gives it; default: nothing. A change applies at once.
  public var detectors: MotionDetectors {
    get { state.withLock { $0.detectors } }
    set {
      let old = state.withLock { exchange(&$0.detectors, with: newValue) }
      // A detector could do anything in its deinit: outside the lock.
      withExtendedLifetime(old) {}
      announceChange()
    }
  }

  /// Where the device is; nil = unknown, and true north is not available.
  public var location: GeographicLocation? {
    get { state.withLock { $0.location } }
    set {
      let (declination, dipAngle) = (newValue?.declination, newValue?.dipAngle)
      state.withLock { ($0.location, $0.declination, $0.dipAngle) = (newValue, declination, dipAngle) }
    }
  }

  /// Declination at the location, rad, east positive; nil when the location is unknown or no compass works there.
  public var declination: Double? { state.withLock { $0.declination } }

  /// Dip of the field at the location, rad, positive when it points down; nil when the location is unknown.
  public var dipAngle: Double? { state.withLock { $0.dipAngle } }

  /// What happens when calibration needs the person; default: a line in the log.
  public var calibrationHook: CalibrationHook {
    get { state.withLock { $0.calibrationHook } }
    set { state.withLock { $0.calibrationHook = newValue } }
  }

  /// What happens when the device goes under water while a water manager of this host has a delegate, on the source's
  /// thread: it must be quick. Stands for the session that Apple's systems start by themselves. Default: nothing.
  public var submersionHook: SubmersionHook? {
    get { state.withLock { $0.submersionHook } }
    set { state.withLock { $0.submersionHook = newValue } }
  }

  /// The app goes to the background: its services stay as they are and receive nothing. The device goes on: a history
  /// that is being kept counts the steps of the meantime, and the source runs for it alone.
  public func suspend() {
    state.withLock { $0.isSuspended = true }
    applyHold()
  }

  /// The app comes back: services that were active go on.
  public func resume() {
    state.withLock { $0.isSuspended = false }
    returns.add(1, ordering: .releasing)
    applyHold()
  }

  /// How often the app has come back: who counts in the background sees that there is something to report.
  package var returnCount: Int { returns.load(ordering: .acquiring) }

  /// Starts a replay that waits for its audience (`MotionHub.Gate.manual`).
  public func play() {
    device?.play()
    headphones?.play()
  }

  /// Throws one sentence when the device lacks a sensor that the policy requires (D26).
  package func checkRequirements() throws(SensorError) {
    let missing = policy.requiredKinds.subtracting(device?.info.kinds ?? [])
    guard !missing.isEmpty else { return }
    throw SensorError(
      .notFound,
      "This program requires \(missing.names.joined(separator: ", ")), and \(device?.info.name ?? "this computer") has none."
    )
  }

  /// Asks the person, if that has not been done: ``HostPolicy/authorizationAnswer`` then becomes the authorisation
  /// (S81).
  package func requestAuthorization() {
    let isAnswered = state.withLock { state in
      guard state.policy.authorization == .notDetermined else { return false }
      state.policy.authorization = state.policy.authorizationAnswer
      return true
    }
    guard isAnswered else { return }
    applyHold()
    announceChange()
  }

  private func applyHold() {
    hold.withLock { hold in
      let new = state.withLock { state -> MotionHub.Hold in
        state.policy.allowsMotion ? state.isSuspended ? .app : .none : .all
      }
      guard new != hold else { return }
      hold = new
      device?.setHold(new)
      headphones?.setHold(new)
    }
  }
}

extension MotionHost {
  /// Handlers that a live source may leave unfinished before it is logged. Live sources never wait.
  package static let backlogLimit = 1000

  /// Says that a handler does not keep up; called once per start.
  package func reportBacklog(_ outstanding: Int) {
    HostLog.warning(
      "A motion handler is \(outstanding) samples behind its live source: nothing is lost, but memory grows. Do less in the handler or ask for a longer interval."
    )
  }

  /// Logs a line, once however often it is reported.
  package func report(_ line: String) {
    let isNew = state.withLock { $0.reported.insert(line).inserted }
    if isNew { HostLog.warning(line) }
  }

  /// Says that a start can never deliver (D43): one line in the log, and under `MOTION_STRICT` the end of the program.
  package func refuse(_ sentence: String) {
    report(sentence)
    strictness?.fail(sentence)
  }

  /// Why there is nothing to be had, said when a manager is first asked; nil = said elsewhere, or there is a source.
  /// Default: nothing is said, as in tests that make a host without sensors.
  package var absences: (device: String?, headphones: String?) {
    get { state.withLock { $0.absences } }
    set { state.withLock { $0.absences = newValue } }
  }
}

/// Which host a manager belongs to.
extension MotionHost {
  /// The host of the scope that runs now; bound by ``run(_:)-swift.method`` and around every handler.
  @TaskLocal package static var scoped: MotionHost?

  /// The one place of global mutable state: the process's host.
  private struct Process {
    var installed = Keyed<MotionHost>()
    var environment: MotionHost?
  }

  private static let process = Lock(Process())

  /// The host for a manager that is made here and now.
  public static var current: MotionHost { scoped ?? processHost }

  /// The host outside every scope: the one installed last, else the one that the environment asks for.
  public static var processHost: MotionHost {
    if let host = process.withLock({ $0.installed.all.last?.value ?? $0.environment }) { return host }
    // Opening a source may take a while: outside the lock. The first caller wins.
    let made = HostEnvironment(ProcessInfo.processInfo.environment).makeHost()
    return process.withLock { process in
      if let host = process.installed.all.last?.value ?? process.environment { return host }
      process.environment = made
      return made
    }
  }

  /// Runs `body` with this host in scope: managers made inside belong to it, and their handlers see it again.
  public func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    do {
      return try Self.$scoped.withValue(self) { try body() }
    } catch let error as Failure {
      throw error
    } catch {
      // `withValue` rethrows what `body` throws and nothing else.
      preconditionFailure("A scope threw \(error), which its body cannot throw.")
    }
  }

  /// The same for asynchronous code.
  public func run<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await Self.$scoped.withValue(self, operation: body, isolation: isolation)
  }

  /// Makes this the process's host until the installation is removed: for XCTest's `setUp` and `tearDown`, where no
  /// scope can be bound around a test. Swift Testing runs tests side by side: bind a scope there instead.
  ///
  /// ```swift
  /// override func setUp() { installation = MotionHost(device: source).install() }
  /// override func tearDown() { installation.remove() }
  /// ```
  public func install() -> Installation {
    Installation(key: Self.process.withLock { $0.installed.add(self) })
  }

  /// A host's time as the process's host.
  public struct Installation: Sendable {
    let key: Int
    /// Puts the host back that was there before. Further calls do nothing.
    public func remove() { withExtendedLifetime(MotionHost.process.withLock { $0.installed.remove(key) }) {} }
  }
}
