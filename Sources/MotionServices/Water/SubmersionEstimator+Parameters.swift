// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

extension SubmersionEstimator {
  /// What is known beforehand, and every constant of the estimator. The defaults are those of `spec/water.md` 2–3 and of
  /// decision D13.
  public struct Parameters: Sendable, Hashable {
    /// Default: EN 13319.
    public var water = WaterDensity.en13319
    /// Metres; the bounds of the three deepest states follow it. Nil = no limit, and no such states. Default 6.
    public var maximumDepth: Double? = 6
    /// Pascal of the air, from a log or from the person; serves until the estimator has measured it itself, and so matters
    /// when the first sample is already under water. Default nil, unknown.
    public var surfacePressure: Double?
    /// What the thermometer is like.
    public var thermometer = WaterTemperatureEstimator.Parameters()

    /// Metres below which the device is in the water. Deeper than any swell on a wrist at the surface (0.20 m). Default 0.30.
    public var entryDepth = 0.30
    /// Metres above which it is out of it. Default 0.15.
    public var exitDepth = 0.15
    /// Seconds that the depth must stay below ``entryDepth``. More = later, with fewer false entries. Default 1.
    public var entryDwell = 1.0
    /// Seconds that it must stay above ``exitDepth``. Default 3.
    public var exitDwell = 3.0
    /// Seconds within which the pressure must have risen by ``entryDepth``: weather, lifts and cabins are slower. Default 10.
    public var entryRiseTime = 10.0
    /// Metres within a minute that count as entry too, for who sinks slowly. In the air that would be a descent of 14 m/s for a
    /// whole minute. Default 1.
    public var certainDepth = 1.0
    /// Pascal that the air has nowhere on land: who starts above it starts under water. Default 111 000.
    public var highestAirPressure = 111_000.0
    /// Seconds of good samples before anything is said about submersion. Default 3.
    public var settlingTime = 3.0

    /// Metres: from here on ``SubmersionUpdate/DepthState/submergedDeep``. Default 1.
    public var deepDepth = 1.0
    /// Metres before the maximum depth at which it is being approached (D13). Default 1.
    public var approachMargin = 1.0
    /// Multiple of the maximum depth beyond which there is no depth any more. Default 1.1.
    public var sensorLimit = 1.1
    /// Metres by which a bound must be passed on the way up (D13). Default 0.1.
    public var hysteresis = 0.1

    /// Hz under water (S83). Default 3.
    public var measurementRate = 3.0
    /// Seconds between measurements above water. Default 1.
    public var surfaceInterval = 1.0

    /// Pascal: outside, a sample is rejected. Default 30 000…1 300 000, from above Everest's summit to 120 m of water.
    public var plausiblePressures = 30_000.0...1_300_000.0
    /// Pa/s: a faster change is rejected. Default 50 000, 5 m/s; free divers reach 1.5 m/s.
    public var fastestChange = 50_000.0
    /// Seconds of rejected samples after which the sensor has failed, and of good ones after which it is back. Default 1.
    public var rejectionTime = 1.0
    /// Seconds, and samples, of one and the same number under water after which the sensor is frozen: a living one feels
    /// waves and its own noise. Defaults 30 and 60.
    public var frozenTime = 30.0
    /// See ``frozenTime``.
    public var frozenSamples = 60
    /// Seconds without a sample after which the sensor has failed, if the source's time goes on (``SubmersionEstimator/update(time:)``); three
    /// of the last intervals, where that is longer. Default 5.
    public var silenceTime = 5.0

    /// The defaults.
    public init() {}
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
      interval = Int64(1e9 / min(1000, max(0.01, parameters.measurementRate)))
      surfaceInterval = Int64(1e9 * min(1e6, max(0, parameters.surfaceInterval)))
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
