// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// How an ``IIOSource`` reads.
public struct IIOOptions: Sendable, Hashable {
  /// Through which door samples come.
  public enum Reading: String, Sendable, Hashable, CaseIterable {
    /// The buffer where we may use it, else polling. The default.
    case automatic
    /// The buffer or an error that says what is missing.
    case buffered
    /// The attributes, whatever there is.
    case polled
  }

  /// Hz; nil, the default = what the listeners want.
  public var rate: Double?
  /// Records before the kernel wakes the reader; nil, the default = 1, or a batch for listeners who take batches.
  public var watermark: Int?
  /// True: the pressure sensor is in water. Default: false, unless a label of the device says “water”.
  public var isInWater: Bool?
  /// Default: automatic.
  public var reading = Reading.automatic
  /// Where the devices are.
  public var roots = IIORoots()

  /// The defaults.
  public init() {}

  /// From the options of a URI such as `iio:?rate=200`.
  ///
  /// | name | values | default |
  /// |---|---|---|
  /// | `rate` | Hz, 0.1 to 10000 | what the listeners want |
  /// | `watermark` | records, 1 to 16384 | by latency |
  /// | `water` | `yes`, `no` | by label |
  /// | `reading` | `automatic`, `buffered`, `polled` | `automatic` |
  /// | `root` | a folder that stands for `/` | the system |
  ///
  /// Anything else fails with `.invalidRequest`.
  public init(_ options: [String: String]) throws(SensorError) {
    for (name, value) in options.sorted(by: { $0.key < $1.key }) {
      switch name {
      case "rate":
        guard let number = Double(value), (0.1...10_000).contains(number) else {
          throw Self.refused(name, value, "hertz, a number from 0.1 to 10000")
        }
        rate = number
      case "watermark":
        guard let number = Int(value), (1...16_384).contains(number) else {
          throw Self.refused(name, value, "a whole number of records from 1 to 16384")
        }
        watermark = number
      case "water":
        guard let isYes = ["yes": true, "no": false][value] else { throw Self.refused(name, value, "yes or no") }
        isInWater = isYes
      case "reading":
        guard let choice = Reading(rawValue: value) else {
          throw Self.refused(name, value, Reading.allCases.map(\.rawValue).joined(separator: ", "))
        }
        reading = choice
      case "root": roots = IIORoots(root: value)
      default:
        throw SensorError(
          .invalidRequest,
          "A sensor of this computer has no option “\(name)”; it knows rate, watermark, water, reading and root.")
      }
    }
  }

  private static func refused(_ name: String, _ value: String, _ allowed: String) -> SensorError {
    SensorError(.invalidRequest, "The option \(name)=\(value) is not understood; it takes \(allowed).")
  }
}
