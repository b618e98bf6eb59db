// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// How an ``MS5837Source`` reads.
package struct MS5837Options: Sendable, Hashable {
  /// Nil, the default = what the chip's version says. A model that the version contradicts is refused.
  package var model: MS5837Model?
  /// Hz, 0.1…100; nil, the default = what the subscribers want.
  package var rate: Double?
  /// Nil, the default = the most that the rate leaves time for.
  package var oversampling: MS5837Oversampling?
  /// Seconds in which the thermometer in its housing covers 63 % of a step, 0.1…1000; nil, the default = not known. It widens the stated
  /// uncertainty of the water's temperature, not the temperature.
  package var thermometerTimeConstant: Double?

  /// The defaults.
  package init() {}

  /// From the options of a URI such as `ms5837:1?model=30ba`: `model` (`30ba`, `02ba`), `rate`, `oversampling` (256, 512, 1024, 2048, 4096,
  /// 8192), and `thermometer`, the time constant.
  ///
  /// Anything else fails with `.invalidRequest`, and so does an oversampling that takes longer than the rate allows.
  package init(_ options: [String: String]) throws(SensorError) {
    try Self.table.apply(options, to: &self)
    guard let rate, let oversampling, let period = SensorDuration(rate: rate) else { return }
    guard 2 * oversampling.conversionTime.nanoseconds < period.nanoseconds else {
      throw SensorError(
        .invalidRequest,
        "Two conversions with oversampling=\(oversampling.rawValue) take longer than the sample interval at rate=\(rate); lower one of them."
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
      .number("rate", "Hz", in: 0.1...100, default: "what the program requests") { $0.rate = $1 },
      .choice("oversampling", MS5837Oversampling.self, default: "by rate") { $0.oversampling = $1 },
      .number("thermometer", "seconds of lag", in: 0.1...1000, default: "not known") {
        $0.thermometerTimeConstant = $1
      },
    ])
}

/// The two members of the family: the same chip and bus, other ranges and other arithmetic.
package enum MS5837Model: String, Sendable, Hashable, CaseIterable {
  /// MS5837-30BA, to 30 bar: 0.2 mbar steps, 2 mm of water.
  case thirtyBar = "30ba"
  /// MS5837-02BA, to 2 bar: air and ten metres of water, in finer steps.
  case twoBar = "02ba"

  /// "MS5837-30BA".
  var name: String { "MS5837-" + rawValue.uppercased() }

  /// Pascal: the end of the range (Documentation/Behaviour.md, water, and the model's name).
  var range: Double { self == .thirtyBar ? 3_000_000 : 200_000 }

  /// The version in bits 5…11 of the memory's first word, as the data sheets have it: 0x1A = 30BA26, 0x15 = 02BA21, 0x00 = 02BA01.
  /// Nil for any other: the MS5637 of a weather station has the same address and the same checksum.
  init?(version: UInt8) {
    switch version {
    case 0x1A: self = .thirtyBar
    case 0x15, Self.unversioned: self = .twoBar
    default: return nil
    }
  }

  /// What the first 02BA bears, and any chip whose maker left the field empty: a hint, no proof.
  static let unversioned: UInt8 = 0x00
}

/// How many times the converter measures for one number: more is less noise and takes longer.
package enum MS5837Oversampling: Int, Sendable, Hashable, CaseIterable {
  case x256 = 256
  case x512 = 512
  case x1024 = 1024
  case x2048 = 2048
  case x4096 = 4096
  case x8192 = 8192

  /// What is added to the command of a conversion: 0, 2, … 10.
  var commandBits: UInt8 { UInt8(Self.allCases.firstIndex(of: self) ?? 0) * 2 }

  /// How long a conversion takes at most: 2.5 µs for each time (Documentation/Behaviour.md, water), 0.64…20.5 ms.
  var conversionTime: SensorDuration { SensorDuration(nanoseconds: Int64(rawValue) * 2500) }

  /// The most that leaves a fifth of the period free: each sample takes a conversion of the pressure and one of the temperature.
  init(fitting period: SensorDuration) {
    let room = period.nanoseconds / 10 * 8
    self = Self.allCases.last { 2 * $0.conversionTime.nanoseconds <= room } ?? .x256
  }
}
