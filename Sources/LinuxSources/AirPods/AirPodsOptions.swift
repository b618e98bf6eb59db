// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// How an ``AirPodsSource`` reads.
public struct AirPodsOptions: Sendable, Hashable {
  /// Which rotation from the bud to the head is used.
  public enum Mount: Sendable, Hashable {
    /// The wearer's own where there is one, else the generic one. The default.
    case automatic
    /// None: the axes are those of the bud. For calibration.
    case bud
    /// The generic one, also where the wearer has measured one.
    case generic
    /// This one, for both sides.
    case fixed(HeadMount)
  }

  /// Whether the headphones' own ear detection decides what counts as connected.
  public enum EarDetection: String, Sendable, Hashable, CaseIterable {
    /// As the headphones are set. The default.
    case automatic = "auto"
    /// Worn or not, they count.
    case off
  }

  /// Samples a second: 50 or 25. Default 50.
  public var rate = 50
  /// Default: automatic.
  public var mount = Mount.automatic
  /// Default: automatic.
  public var ear = EarDetection.automatic
  /// Whether this computer takes the headphones over from another one when they send nothing. Default: no.
  public var takesOwnership = false

  /// The defaults.
  public init() {}

  /// From the options of a URI such as `airpods:?rate=25`.
  ///
  /// | name | values | default |
  /// |---|---|---|
  /// | `rate` | `50`, `25` samples a second | `50` |
  /// | `mount` | `auto`, `bud`, `generic`, or a quaternion bud → head `W:X:Y:Z` | `auto` |
  /// | `ear` | `auto`, or `off`: connected whether worn or not | `auto` |
  /// | `ownership` | `yes`, `no`: take them over from another host when nothing comes | `no` |
  ///
  /// Anything else fails with `.invalidRequest`.
  public init(_ options: [String: String]) throws(SensorError) {
    for (name, value) in options.sorted(by: { $0.key < $1.key }) {
      switch name {
      case "rate":
        guard let rate = Int(value), rate == 25 || rate == 50 else { throw Self.refused(name, value, "50 or 25") }
        self.rate = rate
      case "mount":
        guard let mount = Self.mount(value) else {
          throw Self.refused(name, value, "auto, bud, generic, or a quaternion W:X:Y:Z from the bud to the head")
        }
        self.mount = mount
      case "ear":
        guard let ear = EarDetection(rawValue: value) else { throw Self.refused(name, value, "auto or off") }
        self.ear = ear
      case "ownership":
        guard value == "yes" || value == "no" else { throw Self.refused(name, value, "yes or no") }
        takesOwnership = value == "yes"
      default:
        throw SensorError(
          .invalidRequest, "AirPods have no option “\(name)”; they know rate, mount, ear and ownership.")
      }
    }
  }

  private static func mount(_ value: String) -> Mount? {
    switch value {
    case "auto": return .automatic
    case "bud": return .bud
    case "generic": return .generic
    default:
      let numbers = value.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
      guard numbers.count == 4, abs(numbers.reduce(0) { $0 + $1 * $1 } - 1) < 0.02,
        let rotation = Rotation<Chip, Device>(w: numbers[0], x: numbers[1], y: numbers[2], z: numbers[3])
      else { return nil }
      return .fixed(HeadMount(rotation: rotation))
    }
  }

  private static func refused(_ name: String, _ value: String, _ allowed: String) -> SensorError {
    SensorError(.invalidRequest, "The option \(name)=\(value) is not understood; it takes \(allowed).")
  }
}
