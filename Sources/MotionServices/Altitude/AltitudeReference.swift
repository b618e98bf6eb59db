// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What ties a barometer to sea level: somebody must know one of two things.
public enum AltitudeReference: Sendable, Hashable {
  /// The air's pressure reduced to sea level, in pascal, as an airport or a weather service gives it (QNH), and its standard
  /// deviation: about 100 Pa for a station some tens of kilometres away.
  case seaLevelPressure(Double, standardDeviation: Double = 100)
  /// The height of the device when the updates start, in metres above sea level, and its standard deviation in metres.
  case height(Double, standardDeviation: Double = 1)
}
