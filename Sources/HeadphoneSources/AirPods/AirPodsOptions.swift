// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

/// How an ``AirPodsSource`` reads.
package struct AirPodsOptions: SourceSettings {
  /// Which rotation from the bud to the head is used.
  package enum Mount: Sendable, Hashable {
    /// The generic one, levelled in the first still second. The default.
    case generic
    /// None: the axes are those of the bud.
    case bud
    /// This one, for both sides.
    case fixed(HeadMount)
  }

  /// Whether the headphones' own ear detection decides what counts as connected.
  package enum EarDetection: String, Sendable, Hashable, CaseIterable {
    /// The setting of the headphones. The default.
    case automatic = "auto"
    /// They count as worn in any case.
    case off
  }

  /// Samples a second: 50 or 25. Default 50.
  package var rate = 50
  /// Default: generic.
  package var mount = Mount.generic
  /// Default: automatic.
  package var ear = EarDetection.automatic
  /// Whether this computer takes the headphones over from another one when they send nothing. Default: no.
  package var takesOwnership = false

  /// The defaults.
  package init() {}

  /// Those of a URI such as `airpods:?rate=25`: `rate`, `mount` (`generic`, `bud`, or a quaternion bud → head
  /// `W:X:Y:Z`), `ear` (`auto`, or `off`: connected whether worn or not), and `ownership` (`yes`, `no`).
  package static let table = SourceOptions<AirPodsOptions>(
    "AirPods",
    [
      .choice("rate", ["50": 50, "25": 25], default: "50 Hz") { $0.rate = $1 },
      .value(
        "mount", "generic, bud, or a quaternion W:X:Y:Z from the bud to the head", default: "generic",
        parse: Self.mount
      ) { $0.mount = $1 },
      .choice("ear", EarDetection.self, default: "auto") { $0.ear = $1 },
      .yesOrNo("ownership", default: "no") { $0.takesOwnership = $1 },
    ])

  @Sendable private static func mount(_ text: String) -> Mount? {
    switch text {
    case "bud": return .bud
    case "generic": return .generic
    default:
      let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
      guard numbers.count == 4, abs(numbers.reduce(0) { $0 + $1 * $1 } - 1) < 0.02,
        let rotation = Rotation<Chip, Device>(w: numbers[0], x: numbers[1], y: numbers[2], z: numbers[3])
      else { return nil }
      return .fixed(HeadMount(rotation: rotation))
    }
  }
}
