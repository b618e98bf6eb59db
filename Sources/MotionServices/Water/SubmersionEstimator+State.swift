// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

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

    /// Takes a sample in; what was collected more than `longest` nanoseconds before it lies on the other side of a gap and is
    /// no part of the same measurement.
    mutating func add(_ sample: PressureSample, longest: Int64) {
      if let start, (sample.time - start).nanoseconds > longest { self = Boxcar() }
      let start = start ?? sample.time
      self.start = start
      pressure += sample.pressure
      nanoseconds += (sample.time - start).nanoseconds
      count += 1
      if let celsius = sample.temperature {
        temperature += celsius
        temperatureCount += 1
      }
    }

    /// Takes the mean out; nil when nothing was collected.
    mutating func take() -> Mean? {
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
