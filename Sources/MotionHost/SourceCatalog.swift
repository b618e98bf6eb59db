// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import LinuxSources
import MotionRecording
public import MotionSensing
package import MotionServices
import SimulatedSources

/// Turns the address of a source into something that a host can run, and says what there is.
public struct SourceCatalog: Sendable {
  /// A source with the clock, speed and gate that its address asks for.
  public struct Entry: Sendable {
    /// The address, the options of the host taken out.
    package var uri: SourceURI
    /// The source, not running yet.
    public var source: any SensorSource
    /// Monotonic, or free-running at `speed=max`.
    package var clock: any SensorClock
    /// How fast the source's time runs against the clock.
    package var rate: Double
    /// How long a recording waits for its audience.
    package var gate: MotionHub.Gate
    /// Whether a recording goes on where it stopped instead of beginning again.
    package var resumes = false
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
    package var calibrationDate: Date?
  }

  /// How long a replay for `MOTION_SOURCE` waits for its audience.
  package static let settleTime = SensorDuration.milliseconds(100)

  let root: SystemRoot
  let calibrations: CalibrationFolder?
  let phones: PhoneServers

  /// The catalogue of this computer.
  public init() { self.init(root: SystemRoot()) }

  /// The catalogue holds no state but where the sensors of this computer are found, by default in the system's own folders, and where
  /// their calibrations are, by default nowhere; and the ports that its phone sources share.
  package init(root: SystemRoot = SystemRoot(), calibrations: CalibrationFolder? = nil) {
    self.init(root: root, calibrations: calibrations, phones: PhoneServers())
  }

  init(root: SystemRoot, calibrations: CalibrationFolder?, phones: PhoneServers) {
    (self.root, self.calibrations, self.phones) = (root, calibrations, phones)
  }

  /// Opens a source by its address, as in `MOTION_SOURCE`.
  public func open(_ uri: SourceURI) throws(SensorError) -> Entry { try open(uri, gate: .open) }

  /// Opens a source. Options `speed` (a number or `max`), `gate` (`open`, `manual`, or milliseconds), of a recording `resume` (`yes` or `no`) and
  /// `calibration` (a file, or `off`) are the host's; all others are the source's.
  ///
  /// A sensor of this computer whose calibration is in the folder gets it without being asked; a recording or a simulation
  /// never does. A calibration that cannot be read is an error: it is not ignored in silence.
  package func open(_ uri: SourceURI, gate defaultGate: MotionHub.Gate = .open) throws(SensorError) -> Entry {
    var uri = uri
    let calibration = uri.removeOption("calibration")
    var entry = try openAsItIs(uri, gate: defaultGate)
    entry.source = try calibrated(entry.source, option: calibration)
    return entry
  }

  private func openAsItIs(_ uri: SourceURI, gate defaultGate: MotionHub.Gate) throws(SensorError) -> Entry {
    var uri = uri
    var hostOptions: [String: String] = [:]
    let names = ["speed", "gate"] + (uri.scheme == "replay" ? ["resume"] : [])
    for name in names { hostOptions[name] = uri.removeOption(name) }
    let source: any SensorSource
    switch uri.scheme {
    case "simulate" where uri.path == "headphones": source = try SimulatedHeadphones(options: uri.options)
    case "simulate": source = try SimulatedSource(scenario: uri.path, options: uri.options)
    case "replay": source = try ReplaySource(path: uri.path, options: uri.options)
    case "iio", "evdev", "airpods", "headtracker", "ms5837", "phone":
      guard hostOptions.isEmpty else {
        throw SensorError(.invalidRequest, "A real sensor runs in real time: leave “speed” and “gate” out.")
      }
      return uri.scheme == "phone" ? try openPhone(uri) : try openHardware(uri)
    default:
      throw SensorError(
        .notFound,
        "There is no kind of motion source called “\(uri.scheme)” in this version; there are iio:, evdev:, ms5837:BUS, airpods:ADDRESS, headtracker:, phone:, simulate:NAME and replay:PATH."
      )
    }
    var pacing = Pacing(gate: defaultGate)
    try Pacing.table.apply(hostOptions, to: &pacing)
    return Entry(
      uri: uri, source: source, clock: pacing.clock, rate: pacing.rate, gate: pacing.gate, resumes: pacing.resumes)
  }

  /// Everything that can be opened here without further knowledge, the sensors of this computer first.
  public func listings() -> [Listing] {
    sensorListings() + headTrackerListings() + busListings() + simulationListings()
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
}

/// What the options of the host set: the speed of the clock, and how long a recording waits for its subscribers.
private struct Pacing {
  var clock: any SensorClock = MonotonicClock()
  var rate = 1.0
  var gate: MotionHub.Gate
  var resumes = false

  static let table = SourceOptions<Pacing>(
    "the host",
    [
      .value(
        "speed", "max, or a number above 0 and up to 1000000", default: "1",
        parse: { text -> Double? in
          if text == "max" { return .infinity }
          guard let rate = Double(text.hasSuffix("x") ? String(text.dropLast()) : text), rate > 0, rate <= 1e6 else {
            return nil
          }
          return rate
        }
      ) { pacing, rate in
        if rate.isFinite { pacing.rate = rate } else { pacing.clock = FreeRunningClock() }
      },
      .value(
        "gate", "open, manual, or milliseconds, a whole number from 0 to 60000",
        parse: { text -> MotionHub.Gate? in
          switch text {
          case "open": .open
          case "manual": .manual
          default: Int64(text).flatMap { (0...60_000).contains($0) ? .settle(.milliseconds($0)) : nil }
          }
        }
      ) { $0.gate = $1 },
      .yesOrNo("resume", default: "no") { $0.resumes = $1 },
    ])
}
