// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// The description of a source, known before it runs.
public struct SensorInfo: Sendable, Hashable {
  /// Whether a slow consumer may delay the source.
  public enum Pacing: Sendable, Hashable {
    /// Hardware: samples arrive when they are measured; the source never waits for a slow consumer.
    case live
    /// A recording or a simulation: it may be delayed, so that nothing is lost at any speed.
    case onDemand
  }

  /// Where the numbers come from. The user interface always names a recording or a simulation as such.
  public enum Origin: String, Sendable, Hashable {
    case hardware, recording, simulation
  }

  /// What the sensor is built into. Where that is worn, unless a recording says another place, selects its filter.
  public enum DeviceClass: String, Sendable, Hashable {
    case unknown, phone, watch, headphones, controller, module

    /// Where such a device is worn; nil = not known.
    public var placement: Placement? {
      switch self {
      case .phone: .body
      case .watch: .wrist
      case .headphones: .head
      case .unknown, .controller, .module: nil
      }
    }
  }

  /// Whose clock the time stamps belong to.
  public enum TimeLine: Sendable, Hashable {
    /// The session's clock: CLOCK_MONOTONIC for live sources.
    case session
    /// The source's own clock, starting near the given instant; the host maps it to its clock.
    case recorded(start: SensorInstant)
  }

  /// One sensor of a source.
  public struct Channel: Sendable, Hashable {
    /// What the sensor measures; one kind, or the pair of an inertial chip.
    public var kind: SensorKinds
    /// Hz, ascending: the available rates; empty = unknown. A recording has one: the rate at which it was recorded.
    public var rates: [Double]
    /// The largest magnitude one axis can report, SI unit of the kind; nil = unknown. Used to detect saturation.
    public var range: Double?
    /// True when the source has already removed the device's own field (magnetometer).
    public var isCalibrated: Bool
    /// True when a reading stands for the interval that ends with its time stamp, as a chip averages, and not for that
    /// instant (gyroscope).
    public var isMean: Bool

    /// A sensor; omit what is not known.
    public init(
      kind: SensorKinds, rates: [Double] = [], range: Double? = nil, isCalibrated: Bool = false, isMean: Bool = false
    ) {
      self.kind = kind
      self.rates = rates
      self.range = range
      self.isCalibrated = isCalibrated
      self.isMean = isMean
    }
  }

  /// What a source of water pressure states about the water in addition to its samples.
  public struct Water: Sendable, Hashable {
    /// Air pressure above the water in pascal, if a log states it; nil = not stated.
    public var surfacePressure: Double?
    /// kg/m³ with which the source's own depths were converted to pressures; nil = the pressures were measured.
    public var density: Double?
    /// Time constant of the sensor's thermometer: seconds to reach 63 % of a step; nil = not known.
    public var thermometerTimeConstant: Double?

    /// What is known; omit what is not.
    public init(
      surfacePressure: Double? = nil, density: Double? = nil, thermometerTimeConstant: Double? = nil
    ) {
      (self.surfacePressure, self.density) = (surfacePressure, density)
      self.thermometerTimeConstant = thermometerTimeConstant
    }
  }

  /// A short name for the user: "simulated device (handheld)", "recording walk.csv (SensorLog)".
  public var name: String
  /// Where the numbers come from.
  public var origin: Origin
  /// Identifies this device permanently among all others: a serial number, an address, or bus and chip if it is
  /// soldered in. What is learned about the sensors is stored under it. Nil, the default: not known, nothing is stored.
  public var identity: String?
  /// Whether a slow consumer may delay the source.
  public var pacing: Pacing
  /// Whose clock stamps the samples.
  public var timeLine: TimeLine
  /// What the sensors are built into.
  public var deviceClass: DeviceClass
  /// Where the device is worn; nil = not known. By ``deviceClass`` until it is set.
  public var placement: Placement? {
    get { ownPlacement ?? deviceClass.placement }
    set { ownPlacement = newValue }
  }
  private var ownPlacement: Placement?
  /// One entry per sensor.
  public var channels: [Channel]
  /// The largest time by which samples of different sensors may be out of order; 0 = never.
  public var reordering: SensorDuration
  /// The frame of motion that the source has fused itself; nil when it delivers none or the frame is unknown.
  public var fusedReference: MotionRow.Reference?
  /// For a source of water pressure; nil for others.
  public var water: Water?

  /// A description; omit what is not known.
  public init(
    name: String, origin: Origin, pacing: Pacing, timeLine: TimeLine = .session, deviceClass: DeviceClass = .unknown,
    channels: [Channel], reordering: SensorDuration = .zero,
    fusedReference: MotionRow.Reference? = nil, water: Water? = nil, identity: String? = nil
  ) {
    self.name = name
    self.origin = origin
    self.pacing = pacing
    self.timeLine = timeLine
    self.deviceClass = deviceClass
    self.channels = channels
    self.reordering = reordering
    self.fusedReference = fusedReference
    self.water = water
    self.identity = identity
  }

  /// Everything that the source measures.
  public var kinds: SensorKinds { channels.reduce(into: []) { $0.formUnion($1.kind) } }

  /// The channel of one kind, if there is one.
  public func channel(_ kind: SensorKinds) -> Channel? { channels.first { $0.kind.contains(kind) } }
}

/// The connection of a device that can connect and disconnect while its source runs, such as headphones, and its active
/// sensor.
///
/// It is not a sample: it has no rate, a late subscriber must receive the current state, and a subscriber may need
/// nothing else. A source that reports it names the kind ``SensorKinds/connection`` in its `info` and calls
/// ``SensorSession/report(_:)``: once at the start of each run, then at each change, in order with its samples.
///
/// A device that is connected but not worn counts as not connected if the device detects whether it is worn (automatic
/// ear detection). A source without this kind is connected whenever it has not failed.
public struct ConnectionState: Hashable, Sendable, BitwiseCopyable {
  /// True while motion is available: the link is up and, if the device detects it, the device is worn.
  public var isConnected: Bool
  /// The active sensor, or the one that would be. Fused samples carry it themselves (``MotionRow/location``); for raw
  /// samples it is only given here. A change means another sensor, with its own bias. Default: the device itself.
  public var location: MotionRow.Location

  /// A state; omit the location if there is only one sensor.
  public init(isConnected: Bool, location: MotionRow.Location = .device) {
    self.isConnected = isConnected
    self.location = location
  }
}

/// What a source can deliver, as a set.
public struct SensorKinds: OptionSet, Hashable, Sendable {
  /// One bit per kind.
  public let rawValue: UInt16
  /// A set from its bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Specific force.
  public static let accelerometer = SensorKinds(rawValue: 1 << 0)
  /// Angular velocity.
  public static let gyroscope = SensorKinds(rawValue: 1 << 1)
  /// Magnetic field.
  public static let magnetometer = SensorKinds(rawValue: 1 << 2)
  /// Air pressure: a barometer.
  public static let airPressure = SensorKinds(rawValue: 1 << 3)
  /// Water pressure: only a sensor declared as such, never a barometer.
  public static let waterPressure = SensorKinds(rawValue: 1 << 4)
  /// Temperature of the sensor or its surroundings.
  public static let temperature = SensorKinds(rawValue: 1 << 5)
  /// Motion that the device or the recording had already fused (``MotionRow``).
  public static let motion = SensorKinds(rawValue: 1 << 6)
  /// No samples: reports of whether the device is connected and which of its sensors is active (``ConnectionState``).
  public static let connection = SensorKinds(rawValue: 1 << 15)

  /// Accelerometer and gyroscope: the minimum for orientation.
  public static let inertial: SensorKinds = [.accelerometer, .gyroscope]

  /// The names of the members, in a fixed order: "accelerometer", "gyroscope" …
  public var names: [String] {
    let all: [(SensorKinds, String)] = [
      (.accelerometer, "accelerometer"), (.gyroscope, "gyroscope"), (.magnetometer, "magnetometer"),
      (.airPressure, "air pressure"), (.waterPressure, "water pressure"), (.temperature, "temperature"),
      (.motion, "fused motion"), (.connection, "connection"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}
