// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// How an ``MS5837Source`` reads.
public struct MS5837Options: Sendable, Hashable {
  /// Nil, the default = what the chip's version says. A model that the version contradicts is refused.
  public var model: MS5837Model?
  /// Hz, 0.1…100; nil, the default = what the listeners want.
  public var rate: Double?
  /// Nil, the default = the most that the rate leaves time for.
  public var oversampling: MS5837Oversampling?
  /// Seconds in which the thermometer in its housing covers 63 % of a step, 0.1…1000; nil, the default = not known. It widens the stated
  /// uncertainty of the water's temperature, not the temperature.
  public var thermometerTimeConstant: Double?

  /// The defaults.
  public init() {}

  /// From the options of a URI such as `ms5837:1?model=30ba`.
  ///
  /// | name | values | default |
  /// |---|---|---|
  /// | `model` | `30ba`, `02ba` | by the chip's version |
  /// | `rate` | Hz, 0.1 to 100 | what the listeners want |
  /// | `oversampling` | 256, 512, 1024, 2048, 4096, 8192 | by rate |
  /// | `thermometer` | seconds of lag, 0.1 to 1000 | not known |
  ///
  /// Anything else fails with `.invalidRequest`.
  public init(_ options: [String: String]) throws(SensorError) {
    for (name, value) in options.sorted(by: { $0.key < $1.key }) {
      switch name {
      case "model":
        guard let choice = MS5837Model(rawValue: value.lowercased()) else {
          throw Self.refused(name, value, "30ba or 02ba")
        }
        model = choice
      case "rate":
        guard let number = Double(value), (0.1...100).contains(number) else {
          throw Self.refused(name, value, "hertz, a number from 0.1 to 100")
        }
        rate = number
      case "oversampling":
        guard let choice = Int(value).flatMap(MS5837Oversampling.init(rawValue:)) else {
          throw Self.refused(name, value, "256, 512, 1024, 2048, 4096 or 8192")
        }
        oversampling = choice
      case "thermometer":
        guard let number = Double(value), (0.1...1000).contains(number) else {
          throw Self.refused(name, value, "seconds, a number from 0.1 to 1000")
        }
        thermometerTimeConstant = number
      default:
        throw SensorError(
          .invalidRequest,
          "An MS5837 has no option “\(name)”; it knows model, rate, oversampling and thermometer.")
      }
    }
    guard let rate, let oversampling, let period = SensorDuration(rate: rate) else { return }
    guard 2 * oversampling.conversionTime.nanoseconds < period.nanoseconds else {
      throw SensorError(
        .invalidRequest,
        "Two conversions with oversampling=\(oversampling.rawValue) take longer than a sample at rate=\(rate) has; lower one of them."
      )
    }
  }

  private static func refused(_ name: String, _ value: String, _ allowed: String) -> SensorError {
    SensorError(.invalidRequest, "The option \(name)=\(value) is not understood; it takes \(allowed).")
  }
}
