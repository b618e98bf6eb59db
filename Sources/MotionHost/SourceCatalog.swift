// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
public import MotionSensing
package import MotionServices

/// Turns the address of a source into something that a host can run, and lists what there is: the schemes of the linked
/// products (`SourceRegistry` of MotionSensing), with the clock, the speed and the calibration that are the host's.
public struct SourceCatalog: Sendable {
  /// A source with the clock, speed and gate that its address asks for.
  public struct Entry: Sendable {
    /// The address, the options of the host taken out.
    package var uri: SourceURI
    /// The source, not running yet.
    public var source: any SensorSource
    /// How its time runs.
    package var pace = MotionHost.Pace()
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

    package init(address: String, summary: String, info: SensorInfo? = nil, problem: SensorError? = nil) {
      (self.address, self.summary, self.info, self.problem) = (address, summary, info, problem)
    }
  }

  /// How long a replay for `MOTION_SOURCE` waits for its audience.
  package static let settleTime = SensorDuration.milliseconds(100)

  let calibrations: DeviceFolder?
  private let context: SourceContext

  /// The catalogue of this computer.
  public init() { self.init(root: SystemRoot()) }

  /// The catalogue holds no state but where the sensors of this computer are found, by default in the system's own
  /// folders, and where their calibrations are, by default nowhere; and what its sources `share`.
  package init(
    root: SystemRoot = SystemRoot(), calibrations: DeviceFolder? = nil,
    sharing shared: SharedResources = SharedResources()
  ) {
    self.calibrations = calibrations
    context = SourceContext(
      root: root, shared: shared, notice: { HostLog.notice($0) }, warning: { HostLog.warning($0) })
  }

  /// Opens a source by its address, as in `MOTION_SOURCE`.
  public func open(_ uri: SourceURI) throws(SensorError) -> Entry { try open(uri, gate: .open) }

  /// Opens a source. Options `speed` (a number or `max`), `gate` (`open`, `manual`, or milliseconds), of a recording
  /// `resume` (`yes` or `no`) and `calibration` (a file, or `off`) are the host's; all others are the source's.
  ///
  /// A sensor of this computer whose calibration is in the folder gets it without being asked; a recording or a
  /// simulation never does. A calibration that cannot be read is an error: it is not ignored in silence. `make` opens
  /// the source in place of its scheme.
  package func open(
    _ uri: SourceURI, for role: SourceRole = .device, gate defaultGate: MotionHub.Gate = .open,
    with make: ((SourceURI) throws(SensorError) -> any SensorSource)? = nil
  ) throws(SensorError) -> Entry {
    let scheme = try LinkedProducts.scheme(of: uri)
    var uri = uri
    let calibration = uri.options.removeValue(forKey: "calibration")
    var hostOptions: [String: String] = [:]
    for name in ["speed", "gate"] + (scheme.canResume ? ["resume"] : []) {
      hostOptions[name] = uri.options.removeValue(forKey: name)
    }
    var context = context
    context.role = role
    guard scheme.pacing == .onDemand || hostOptions.isEmpty else {
      throw SensorError(.invalidRequest, "A real sensor runs in real time: leave “speed” and “gate” out.")
    }
    let source = if let make { try make(uri) } else { try scheme.open(uri, context) }
    var pace = MotionHost.Pace(gate: scheme.pacing == .onDemand ? defaultGate : .open)
    try MotionHost.Pace.table.apply(hostOptions, to: &pace)
    return Entry(uri: uri, source: try calibrated(source, option: calibration), pace: pace)
  }

  /// What a host uses when no source is named, with its calibration; nil where there is nothing. Throws when the
  /// calibration cannot be read.
  ///
  /// For the device, sensors that measure both acceleration and rotation, and may be read, come before others, such as
  /// a barometer alone; where there are none, the first one of any kind is used, and its error says what to do.
  /// Headphones are one thing each: the first ones are used. Among equals the scheme's rank decides.
  package func automatic(_ role: SourceRole) throws(SensorError) -> Entry? {
    guard let chosen = choice(role) else { return nil }
    let uri = try SourceURI(chosen.address)
    guard let source = chosen.source else { return try open(uri, for: role) }
    return Entry(uri: uri, source: try calibrated(source, option: nil))
  }

  private func choice(_ role: SourceRole) -> DiscoveredSource? {
    let found = SourceRegistry.schemes.compactMap(\.automatic).filter { $0.role == role }.compactMap {
      $0.find(context)
    }
    return Self.best(of: found, for: role)
  }

  /// The rule of ``automatic(_:)``, on what was found in the order of the ranks.
  static func best(of found: [DiscoveredSource], for role: SourceRole) -> DiscoveredSource? {
    guard role == .device else { return found.first }
    return found.first { $0.isReadable && $0.source?.info.kinds.isSuperset(of: .inertial) == true } ?? found.first
  }

  /// Why the host found nothing by itself, to continue a sentence: "this computer has neither A nor B".
  static func absence(of role: SourceRole) -> String {
    let subjects = SourceRegistry.schemes.compactMap(\.automatic).filter { $0.role == role }.map(\.subject)
    guard let last = subjects.last else {
      let product = role == .headphones ? "MotionHeadphones" : "CoreMotion"
      return "the product \(product), which looks for them, is not linked into this program"
    }
    let others = subjects.dropLast().joined(separator: ", ")
    return "this computer has " + (others.isEmpty ? "no \(last)" : "neither \(others) nor \(last)")
  }

  /// Everything that can be opened here without further knowledge, the sensors of this computer first.
  public func listings() -> [Listing] {
    let best = choice(.device).map { found in
      var best = listing(found)
      best.summary = "taken when MOTION_SOURCE is not set: \(best.summary)"
      return best
    }
    return (best.map { [$0] } ?? []) + SourceRegistry.schemes.flatMap { $0.discover(context).map(listing) }
  }

  private func listing(_ found: DiscoveredSource) -> Listing {
    var listing = Listing(
      address: found.address, summary: found.summary, info: found.source?.info, problem: found.problem)
    guard let source = found.source else { return listing }
    do throws(SensorError) {
      let calibrated = try calibrated(source, option: nil)
      listing.info = calibrated.info
      listing.calibrationDate = (calibrated as? CalibratedSource)?.file.date
    } catch {
      listing.problem = error
    }
    return listing
  }
}

/// What the options of the host set: the speed of the clock, and how long a recording waits for its subscribers.
extension MotionHost.Pace {
  fileprivate static let table = SourceOptions<Self>(
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
      ) { pace, rate in
        if rate.isFinite { pace.rate = rate } else { pace.clock = FreeRunningClock() }
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

/// The products of this package that a program may lack, for the error that names them: a product that is not linked
/// registers nothing.
enum LinkedProducts {
  /// The product of each scheme that `CoreMotion` alone does not bring.
  private static let products = [
    "replay": "MotionRecording", "phone": "MotionPhones", "airpods": "MotionHeadphones",
    "headtracker": "MotionHeadphones", "simulate:headphones": "MotionHeadphones",
  ]

  /// The scheme that opens an address: one of that very address, such as `simulate:headphones`, before the one of its
  /// first word. Throws where it is not registered.
  static func scheme(of uri: SourceURI) throws(SensorError) -> SourceScheme {
    let whole = "\(uri.scheme):\(uri.path)"
    if let scheme = SourceRegistry.scheme(whole) { return scheme }
    guard products[whole] == nil, let scheme = SourceRegistry.scheme(uri.scheme) else {
      throw missing(scheme: products[whole] == nil ? uri.scheme : whole)
    }
    return scheme
  }

  /// The error for an address whose scheme is not registered.
  static func missing(scheme: String) -> SensorError {
    if let product = products[scheme] {
      return missing(scheme.contains(":") ? "“\(scheme)”" : "“\(scheme):”", product: product)
    }
    let forms = SourceRegistry.schemes.map(\.form)
    let list = forms.dropLast().joined(separator: ", ") + (forms.count > 1 ? " and " : "") + (forms.last ?? "none")
    let question = Spelling.question(
      for: scheme, of: SourceRegistry.schemes.map(\.name), then: "there are \(list).")
    return SensorError(.notFound, "There is no kind of motion source called “\(scheme)” in this program\(question)")
  }

  /// `subject` begins the sentence.
  static func missing(_ subject: String, product: String) -> SensorError {
    SensorError(
      .unsupported,
      "\(subject) needs the product \(product), which is not linked into this program. Add this line to the dependencies of its target in Package.swift: .product(name: \"\(product)\", package: \"OpenCoreMotion\")"
    )
  }
}
