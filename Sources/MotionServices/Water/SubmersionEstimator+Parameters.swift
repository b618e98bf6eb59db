// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

extension SubmersionEstimator {
  /// What is known beforehand, and every constant of the estimator. The defaults are those of WATER-2, WATER-3 and of
  /// decision D13.
  package struct Parameters: Sendable, Hashable {
    /// Default: EN 13319.
    package var water = WaterDensity.en13319
    /// Metres; the bounds of the three deepest states follow it. Nil = no limit, and no such states. Default 6.
    package var maximumDepth: Double? = 6
    /// Pascal of the air, from a log or from the person; serves until the estimator has measured it itself, and so
    /// matters when the first sample is already under water. Default nil, unknown.
    package var surfacePressure: Double?
    /// What the thermometer is like.
    package var thermometer = WaterTemperatureEstimator.Parameters()

    /// Metres below which the device is in the water. Deeper than any swell on a wrist at the surface (0.20 m). Default
    /// 0.30.
    package var entryDepth = 0.30
    /// Metres above which it is out of it. Default 0.15.
    package var exitDepth = 0.15
    /// Seconds that the depth must stay below ``entryDepth``. More = later, with fewer false entries. Default 1.
    package var entryDwell = 1.0
    /// Seconds that it must stay above ``exitDepth``. Default 3.
    package var exitDwell = 3.0
    /// Seconds within which the pressure must have risen by ``entryDepth``: weather, lifts and cabins are slower.
    /// Default 10.
    package var entryRiseTime = 10.0
    /// Metres within a minute that count as entry too, for who sinks slowly. In the air that would be a descent of 14
    /// m/s for a whole minute. Default 1.
    package var certainDepth = 1.0
    /// Pascal that the air has nowhere on land: who starts above it starts under water. Default 111 000.
    package var highestAirPressure = 111_000.0
    /// Seconds of good samples before submersion is reported. Default 3.
    package var settlingTime = 3.0

    /// Metres: from here on ``SubmersionUpdate/DepthState/submergedDeep``. Default 1.
    package var deepDepth = 1.0
    /// Metres before the maximum depth at which it is being approached (D13). Default 1.
    package var approachMargin = 1.0
    /// Multiple of the maximum depth beyond which there is no depth any more. Default 1.1.
    package var sensorLimit = 1.1
    /// Metres by which a bound must be passed on the way up (D13). Default 0.1.
    package var hysteresis = 0.1

    /// Hz under water (S83). Default 3.
    package var measurementRate = 3.0
    /// Seconds between measurements above water. Default 1.
    package var surfaceInterval = 1.0

    /// Pascal: outside, a sample is rejected. Default 30 000…1 300 000, from above Everest's summit to 120 m of water.
    package var plausiblePressures = 30_000.0...1_300_000.0
    /// Pa/s: a faster change is rejected. Default 50 000, 5 m/s; free divers reach 1.5 m/s.
    package var fastestChange = 50_000.0
    /// Seconds of rejected samples after which the sensor has failed, and of good ones after which it is back. Default
    /// 1.
    package var rejectionTime = 1.0
    /// Seconds, and samples, of one and the same number under water after which the sensor is frozen: a living one
    /// feels waves and its own noise. Defaults 30 and 60.
    package var frozenTime = 30.0
    /// See ``frozenTime``.
    package var frozenSamples = 60
    /// Seconds without a sample after which the sensor has failed, if the source's time goes on
    /// (``SubmersionEstimator/update(time:)``); three of the last intervals, where that is longer. Default 5.
    package var silenceTime = 5.0

    /// The defaults.
    package init() {}
  }

  /// Numbers that follow from the parameters.
  struct Coefficients: Sendable, Hashable {
    /// Nanoseconds between two measurements under water.
    var interval: Int64
    /// Nanoseconds between two measurements above it.
    var surfaceInterval: Int64
    /// Pascal of ``Parameters/entryDepth``.
    var entryRise: Double
    /// Pascal of ``Parameters/certainDepth``.
    var certainRise: Double
    /// Metres where the states above shallow begin, ascending.
    var bounds: [Double]

    init(_ parameters: Parameters) {
      interval = Int64(clamping: 1e9 / min(1000, max(0.01, parameters.measurementRate)))
      surfaceInterval = Int64(clamping: 1e9 * min(1e6, max(0, parameters.surfaceInterval)))
      entryRise = parameters.entryDepth * parameters.water.pascalsPerMetre
      certainRise = parameters.certainDepth * parameters.water.pascalsPerMetre
      bounds = [parameters.deepDepth]
      if let maximum = parameters.maximumDepth {
        let approach = max(parameters.deepDepth, maximum - parameters.approachMargin)
        bounds += [approach, max(approach, maximum)]
      }
    }
  }
}

extension SubmersionEstimator {
  /// Everything that changes.
  struct State: Sendable, Hashable {
    var submersion = SubmersionUpdate.Submersion.unknown
    /// Pascal; what depth is measured from now.
    var surfacePressure = 101_325.0
    var isSurfacePressureKnown = false
    var isSurfacePressureMeasured = false
    var surface = SurfacePressureTracker()
    var boxcar = Boxcar()
    /// The next measurement is due; nil before the first sample.
    var due: SensorInstant?
    /// The last measurement above water.
    var lastSurfaceMeasurement: SensorInstant?
    /// The first sample of the settling time; nil when settled.
    var settlingSince: SensorInstant?
    /// How long the depth has been beyond the threshold that ends the present submersion state.
    var dwell = Dwell()
    /// The last depths, for a median of three.
    var depths: [Double] = []
    var zone = DepthZone()
    var thermometer: WaterTemperatureEstimator
    var plausibility = Plausibility()
  }

  /// Time for which something has held, as far as samples bear witness to it: of a gap two seconds count at most.
  struct Dwell: Sendable, Hashable {
    private static let longestStep = 2.0
    private var last: SensorInstant?
    private var seconds = 0.0

    /// It holds at `time`; returns for how many seconds.
    mutating func hold(at time: SensorInstant) -> Double {
      seconds += last.map { min(Self.longestStep, (time - $0).seconds) } ?? 0
      last = time
      return seconds
    }
  }

  /// Samples on their way to one measurement.
  struct Boxcar: Sendable, Hashable {
    private var start: SensorInstant?
    private var pressure = 0.0
    private var temperature = 0.0
    private var nanoseconds: Int64 = 0
    private var count = 0
    private var temperatureCount = 0

    /// The mean of what was collected.
    struct Mean {
      var time: SensorInstant
      var pressure: Double
      var temperature: Double?
    }

    /// Adds a sample; what was collected more than `longest` nanoseconds before it lies on the other side of a gap and
    /// is no part of the same measurement.
    mutating func add(_ sample: PressureSample, longest: Int64) {
      if let start, (sample.time - start).nanoseconds > longest { self = Boxcar() }
      let start = start ?? sample.time
      self.start = start
      pressure += sample.pressure
      nanoseconds = nanoseconds.clamped(plus: (sample.time - start).nanoseconds)
      count += 1
      if let celsius = sample.temperature {
        temperature += celsius
        temperatureCount += 1
      }
    }

    /// Returns the mean and starts again; nil when nothing was collected.
    mutating func finish() -> Mean? {
      defer { self = Boxcar() }
      guard let start, count > 0 else { return nil }
      return Mean(
        time: start + SensorDuration(nanoseconds: nanoseconds / Int64(count)), pressure: pressure / Double(count),
        temperature: temperatureCount > 0 ? temperature / Double(temperatureCount) : nil)
    }
  }

  /// The depth state within the water, with its hysteresis (D13).
  struct DepthZone: Sendable, Hashable {
    /// How many of the bounds lie above the device.
    private var level = 0
    private var isBeyondSensor = false

    mutating func update(
      depth: Double, _ parameters: Parameters, _ bounds: [Double]
    ) -> SubmersionUpdate.DepthState {
      if let maximum = parameters.maximumDepth {
        if depth > maximum * parameters.sensorLimit { isBeyondSensor = true }
        if isBeyondSensor {
          guard depth < maximum else { return .sensorError }
          isBeyondSensor = false
          level = bounds.count { $0 <= depth }
        }
      }
      while level < bounds.count, depth >= bounds[level] { level += 1 }
      while level > 0, depth < bounds[level - 1] - parameters.hysteresis { level -= 1 }
      return [.submergedShallow, .submergedDeep, .approachingMaximum, .pastMaximum][level]
    }
  }
}
