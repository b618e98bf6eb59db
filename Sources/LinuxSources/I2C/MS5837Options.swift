// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// How an ``MS5837Source`` reads.
public struct MS5837Options: Sendable, Hashable {
  /// Nil, the default = what the chip's version says. A model that the version contradicts is refused.
  public var model: MS5837Model?
  /// Hz, 0.1…100; nil, the default = what the subscribers want.
  public var rate: Double?
  /// Nil, the default = the most that the rate leaves time for.
  public var oversampling: MS5837Oversampling?
  /// Seconds in which the thermometer in its housing covers 63 % of a step, 0.1…1000; nil, the default = not known. It widens the stated
  /// uncertainty of the water's temperature, not the temperature.
  public var thermometerTimeConstant: Double?

  /// The defaults.
  public init() {}

  /// From the options of a URI such as `ms5837:1?model=30ba`: `model` (`30ba`, `02ba`), `rate`, `oversampling` (256, 512, 1024, 2048, 4096,
  /// 8192), and `thermometer`, the time constant.
  ///
  /// Anything else fails with `.invalidRequest`, and so does an oversampling that takes longer than the rate allows.
  public init(_ options: [String: String]) throws(SensorError) {
    try Self.table.apply(options, to: &self)
    guard let rate, let oversampling, let period = SensorDuration(rate: rate) else { return }
    guard 2 * oversampling.conversionTime.nanoseconds < period.nanoseconds else {
      throw SensorError(
        .invalidRequest,
        "Two conversions with oversampling=\(oversampling.rawValue) take longer than a sample at rate=\(rate) has; lower one of them."
      )
    }
  }

  private static let table = SourceOptions<MS5837Options>(
    "an MS5837",
    [
      .value(
        "model", "30ba or 02ba", default: "by the chip's version", parse: { MS5837Model(rawValue: $0.lowercased()) }
      ) {
        $0.model = $1
      },
      .number("rate", "Hz", in: 0.1...100, default: "what the subscribers want") { $0.rate = $1 },
      .choice("oversampling", MS5837Oversampling.self, default: "by rate") { $0.oversampling = $1 },
      .number("thermometer", "seconds of lag", in: 0.1...1000, default: "not known") {
        $0.thermometerTimeConstant = $1
      },
    ])
}
