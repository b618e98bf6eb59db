// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// The motion of a head that wears headphones with the open Android head tracker protocol, such as Sony's WH-1000XM5.
///
/// ```swift
/// let source = try HeadTrackerSource(path: "", options: [:])   // headtracker:
/// ```
///
/// The headphones fuse the motion themselves and send a rotation vector and an angular velocity. They report no
/// acceleration, so the user's acceleration is always zero, and gravity is derived from the attitude. Axes: +x to the
/// right ear, +y to the nose, +z up.
///
/// ## Reading
/// Through the hidraw node. Where the kernel treats the device as a sensor hub it has none, and a run fails with an error
/// that says what to do.
///
/// ## Connection
/// Missing headphones are not a failure: the source reports that nothing is connected, looks for them every second, and
/// continues when they connect. At the end of a run, and while no motion is requested, their sensor is switched off.
///
/// Written from the public protocol, and tested with simulated devices in the real kernel; not tested on hardware.
public final class HeadTrackerSource: SensorSource, HeadphoneReporting {
  /// The head tracker: its motion, and reports of the connection.
  public let info: SensorInfo
  /// How it reads.
  package let options: HeadTrackerOptions
  /// Why it cannot be read, as far as known without opening it; nil when it can, or when it is missing.
  package let limitation: SensorError?
  let wanted: String
  let nodes: HeadTrackerNodes
  let state = Lock(State())

  struct State {
    var status = HeadphoneStatus(protocolName: "Android head tracker over hidraw")
    var statistics = SourceStatistics()
  }

  /// The head tracker of a name, address or node (empty = the first one).
  ///
  /// If it is missing, the source waits for it on a computer with a Bluetooth adapter, and otherwise throws
  /// `.notFound`. An unknown option throws `.invalidRequest` (`HeadTrackerOptions`). `standardRoot` is used when the
  /// options name no root.
  public convenience init(
    path: String, options: [String: String], standardRoot: SystemRoot = SystemRoot()
  ) throws(SensorError) {
    try self.init(path: path, options: try HeadTrackerOptions(options, root: standardRoot), nodes: .system)
  }

  /// The same with control calls of a test's own.
  package convenience init(
    path: String, options: HeadTrackerOptions, nodes: HeadTrackerNodes
  ) throws(SensorError) {
    let all = HeadTrackerDevice.all(root: options.root)
    let found = all.first { $0.answers(to: path) }
    guard found != nil || BlueZ(root: options.root.path).isAdapterPresent else {
      throw HeadTrackerProblem.noTracker(path, known: all, root: options.root)
    }
    self.init(device: found, wanted: path, options: options, nodes: nodes)
  }

  private init(
    device: HeadTrackerDevice?, wanted: String, options: HeadTrackerOptions, nodes: HeadTrackerNodes
  ) {
    (self.options, self.wanted, self.nodes) = (options, wanted, nodes)
    limitation = device.flatMap(Self.limitation)
    let rates = device.map { device in
      let ends = device.description.intervals
      return Set([ends.upperBound, ends.lowerBound].filter { $0 > 0 }.map { 1 / $0 }).sorted()
    }
    info = SensorInfo(
      name: device.map { "\($0.name) (head tracker)" } ?? "head tracker", origin: .hardware, pacing: .live,
      deviceClass: .headphones, channels: [.init(kind: .motion, rates: rates ?? []), .init(kind: .connection)],
      fusedReference: .xArbitrary, identity: device?.identity)
    state.withLock { state in
      state.status.problem = limitation
      if let device { state.status.update(from: device) }
    }
  }

  private static func limitation(of device: HeadTrackerDevice) -> SensorError? {
    guard let node = device.node else { return HeadTrackerProblem.closed(device) }
    do { try SystemFiles.system.check(node, R_OK | W_OK) } catch {
      return HeadTrackerProblem.failure(error, device, path: node)
    }
    return nil
  }

  /// Whether a head tracker is connected. Looks into sysfs; opens nothing.
  package static func isPresent(root: SystemRoot = SystemRoot()) -> Bool {
    !HeadTrackerDevice.all(root: root).isEmpty
  }

  /// One source per head tracker that is connected, each with its address. Opens nothing.
  package static func each(root: SystemRoot = SystemRoot()) -> [(
    address: String, source: HeadTrackerSource
  )] {
    let options = HeadTrackerOptions(root: root)
    return HeadTrackerDevice.all(root: root).map {
      (
        "headtracker:\($0.address)",
        HeadTrackerSource(device: $0, wanted: $0.address, options: options, nodes: .system)
      )
    }
  }

  /// What is true now.
  package var status: HeadphoneStatus { state.withLock { $0.status } }

  /// What happened in the runs so far.
  package var statistics: SourceStatistics { state.withLock { $0.statistics } }

  /// Delivers motion and reports until the session stops; throws a `SensorError` when the device fails.
  public func run(_ session: SensorSession) throws {
    var run = HeadTrackerRun(source: self, session: session)
    do {
      try run.deliverAll()
    } catch let error as SensorError {
      state.withLock {
        $0.status.phase = .idle
        $0.status.problem = error
      }
      throw error
    }
  }
}

extension HeadphoneStatus {
  mutating func update(from device: HeadTrackerDevice) {
    name = device.name
    model = HeadphoneModel.model(name: device.name)?.name
    address = device.unique.isEmpty ? nil : device.unique
    // The device's own axes are the head's.
    calibration = .user
  }
}

/// How a ``HeadTrackerSource`` reads.
package struct HeadTrackerOptions: DeviceSettings {
  /// The direction of the rotation vector of a report.
  ///
  /// The protocol's text says "from the reference to the head", which can be read as either. The correct one is
  /// detected as soon as the head moves (``SourceStatistics/contradictsDirection``); no real device has been tried.
  package enum Direction: String, Sendable, Hashable, CaseIterable {
    /// The rotation is the head's pose in the reference: it converts directions in the head's axes to those of the
    /// reference.
    case headToReference = "head-to-reference"
    /// The inverse of that.
    case referenceToHead = "reference-to-head"
  }

  /// Where the devices are. Default: the system's own folders.
  package var root = SystemRoot()
  /// Hz that is requested, 1…200, within what the device offers; nil, the default: what the subscribers want, at most
  /// 100 Hz.
  package var rate: Double?
  /// Which way round the rotation vector is meant. Default: the head's pose. Not proven on hardware.
  package var direction = Direction.headToReference

  /// The defaults.
  package init() {}

  /// Those of a URI such as `headtracker:?rate=50`: `rate`, `direction` (`head-to-reference`, `reference-to-head`), and
  /// `root`, a folder that stands for `/`.
  package static let table = SourceOptions<HeadTrackerOptions>(
    "a head tracker",
    [
      .number("rate", "Hz", in: 1...200, default: "what the program requests") { $0.rate = $1 },
      .choice("direction", Direction.self, default: "head-to-reference") { $0.direction = $1 },
      .root { $0.root = $1 },
    ])
}
