// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LinuxSources
import MotionRecording
public import MotionSensing
public import MotionServices
import SimulatedSources

/// Turns the address of a source into something that a host can run, and says what there is.
public struct SourceCatalog: Sendable {
  /// A source with the clock, speed and gate that its address asks for.
  public struct Entry: Sendable {
    /// The address, the options of the host taken out.
    public var uri: SourceURI
    /// The source, not running yet.
    public var source: any SensorSource
    /// Monotonic, or free-running at `speed=max`.
    public var clock: any SensorClock
    /// How fast the source's time runs against the clock.
    public var rate: Double
    /// How long a recording waits for its audience.
    public var gate: MotionHub.Gate
  }

  /// A source that could be used, for `motionctl list`.
  public struct Listing: Sendable {
    /// What to write into `MOTION_SOURCE`.
    public var address: String
    /// One line for a person.
    public var summary: String
    /// Nil when the source could not be opened; `problem` then says why.
    public var info: SensorInfo?
    /// Why the source cannot be opened; nil when it can.
    public var problem: SensorError?
    /// When its sensors were calibrated; nil = they are taken as they are.
    public var calibrationDate: Date?
  }

  /// How long a replay for `MOTION_SOURCE` waits for its audience.
  public static let settleTime = SensorDuration.milliseconds(100)

  let roots: IIORoots
  let inputRoots: EvdevRoots
  let headTrackerRoots: HeadTrackerRoots
  let calibrations: CalibrationFolder?

  /// The catalogue holds no state but where the sensors of this computer are found, by default the system's places, and where their
  /// calibrations are, by default nowhere.
  public init(
    roots: IIORoots = IIORoots(), inputRoots: EvdevRoots = EvdevRoots(),
    headTrackerRoots: HeadTrackerRoots = HeadTrackerRoots(), calibrations: CalibrationFolder? = nil
  ) {
    self.roots = roots
    self.inputRoots = inputRoots
    self.headTrackerRoots = headTrackerRoots
    self.calibrations = calibrations
  }

  /// Opens a source. Options `speed` (a number or `max`), `gate` (`open`, `manual`, or milliseconds) and `calibration` (a file, or
  /// `off`) are the host's; all others are the source's.
  ///
  /// A sensor of this computer whose calibration is in the folder gets it without being asked; a recording or a simulation
  /// never does. A calibration that cannot be read is an error: it is not left out in silence.
  public func open(_ uri: SourceURI, gate defaultGate: MotionHub.Gate = .open) throws(SensorError) -> Entry {
    var uri = uri
    let calibration = uri.take("calibration")
    var entry = try openAsItIs(uri, gate: defaultGate)
    entry.source = try calibrated(entry.source, option: calibration)
    return entry
  }

  private func openAsItIs(_ uri: SourceURI, gate defaultGate: MotionHub.Gate) throws(SensorError) -> Entry {
    var uri = uri
    let speed = uri.take("speed")
    let gate = uri.take("gate")
    let source: any SensorSource
    switch uri.scheme {
    case "simulate" where uri.path == "headphones": source = try SimulatedHeadphones(options: uri.options)
    case "simulate": source = try SimulatedSource(scenario: uri.path, options: uri.options)
    case "replay": source = try ReplaySource(path: uri.path, options: uri.options)
    case "iio", "evdev":
      guard speed == nil, gate == nil else { throw Self.runsInRealTime }
      return try openSensor(uri)
    case "airpods":
      guard speed == nil, gate == nil else { throw Self.runsInRealTime }
      return try openAirPods(uri)
    case "headtracker":
      guard speed == nil, gate == nil else { throw Self.runsInRealTime }
      return try openHeadTracker(uri)
    case "ms5837":
      guard speed == nil, gate == nil else { throw Self.runsInRealTime }
      let sensor = try MS5837Source(path: uri.path, options: uri.options)
      return Entry(uri: uri, source: sensor, clock: MonotonicClock(), rate: 1, gate: .open)
    default:
      throw SensorError(
        .notFound,
        "There is no kind of motion source called “\(uri.scheme)” in this version; there are iio:, evdev:, ms5837:BUS, airpods:ADDRESS, headtracker:, simulate:NAME and replay:PATH."
      )
    }
    let (clock, rate) = try Self.pace(speed)
    return Entry(uri: uri, source: source, clock: clock, rate: rate, gate: try Self.gate(gate, else: defaultGate))
  }

  private static let runsInRealTime = SensorError(
    .invalidRequest, "A sensor of this computer runs in real time: leave “speed” and “gate” out.")

  /// Everything that can be opened here without further knowledge, the sensors of this computer first.
  public func listings() -> [Listing] {
    sensorListings() + headTrackerListings() + busListings() + simulationListings()
  }

  /// Depth sensors without a driver of the kernel: named, not looked for.
  private func busListings() -> [Listing] {
    let buses = MS5837Source.buses(in: roots.nodes).map(String.init)
    guard let first = buses.first else { return [] }
    return [
      Listing(
        address: "ms5837:\(first)",
        summary:
          "an MS5837 depth sensor, if one is wired to an I²C bus (there are \(buses.joined(separator: ", "))); buses are "
          + "not searched, because that may disturb other chips")
    ]
  }

  private func simulationListings() -> [Listing] {
    Scenario.all.map { scenario in
      let address = "simulate:\(scenario.name)"
      do throws(SensorError) {
        let source = try SimulatedSource(scenario: scenario.name, options: [:])
        return Listing(address: address, summary: scenario.summary, info: source.info)
      } catch {
        return Listing(address: address, summary: scenario.summary, problem: error)
      }
    } + [
      Listing(
        address: "simulate:headphones", summary: SimulatedHeadphones.summary, info: SimulatedHeadphones().info)
    ]
  }

  private static func pace(_ text: String?) throws(SensorError) -> (any SensorClock, Double) {
    switch text {
    case nil: return (MonotonicClock(), 1)
    case "max": return (FreeRunningClock(), 1)
    case .some(let text):
      guard let rate = Double(text.hasSuffix("x") ? String(text.dropLast()) : text), rate > 0, rate <= 1e6 else {
        throw SensorError(
          .invalidRequest, "The option speed=\(text) is neither “max” nor a number above 0 and up to a million.")
      }
      return (MonotonicClock(), rate)
    }
  }

  private static func gate(_ text: String?, else fallback: MotionHub.Gate) throws(SensorError) -> MotionHub.Gate {
    switch text {
    case nil: return fallback
    case "open": return .open
    case "manual": return .manual
    case .some(let text):
      guard let milliseconds = Int64(text), (0...60_000).contains(milliseconds) else {
        throw SensorError(
          .invalidRequest, "The option gate=\(text) is none of “open”, “manual” or milliseconds from 0 to 60000.")
      }
      return .settle(.milliseconds(milliseconds))
    }
  }
}
