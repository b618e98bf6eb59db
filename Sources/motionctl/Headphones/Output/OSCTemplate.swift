// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// A message of one's own: `/ADDRESS token token…`, each token a number of the pose.
///
/// | token | meaning |
/// |---|---|
/// | `yaw` `pitch` `roll` | degrees, our signs |
/// | `…Rad` | the same in radians: `yawRad` |
/// | `…+` | counted from 0 to a full turn instead of from −half to half: `yaw+`, `yawRad+` |
/// | `qw` `qx` `qy` `qz` | the quaternion, head → level frame |
/// | `-…` | the number with the other sign: `-yaw`, `-qx` |
struct OSCTemplate: Hashable, Sendable {
  private enum Value: Hashable, Sendable {
    case angle(HeadAngle, isRadians: Bool, isPositive: Bool)
    case w, x, y, z
  }
  private struct Token: Hashable, Sendable {
    var value: Value
    var isNegated: Bool
  }

  let address: String
  private let tokens: [Token]
  private static let mostTokens = 32

  /// Nil for a text that is no template.
  init?(_ text: some StringProtocol) {
    let words = text.split(separator: " ")
    guard let address = words.first, OSCMessage.isAddress(address), (2...Self.mostTokens + 1).contains(words.count)
    else { return nil }
    let tokens = words.dropFirst().compactMap { Self.token(String($0)) }
    guard tokens.count == words.count - 1 else { return nil }
    (self.address, self.tokens) = (String(address), tokens)
  }

  private static func token(_ word: String) -> Token? {
    let isNegated = word.hasPrefix("-")
    var name = word.dropFirst(isNegated ? 1 : 0)
    switch name {
    case "qw": return Token(value: .w, isNegated: isNegated)
    case "qx": return Token(value: .x, isNegated: isNegated)
    case "qy": return Token(value: .y, isNegated: isNegated)
    case "qz": return Token(value: .z, isNegated: isNegated)
    default: break
    }
    let isPositive = name.hasSuffix("+")
    if isPositive { name = name.dropLast() }
    let isRadians = name.hasSuffix("Rad")
    if isRadians { name = name.dropLast(3) }
    guard let angle = HeadAngle(rawValue: String(name)) else { return nil }
    return Token(value: .angle(angle, isRadians: isRadians, isPositive: isPositive), isNegated: isNegated)
  }

  func message(of pose: HeadPose) -> OSCMessage {
    OSCMessage(address: address, arguments: tokens.map { Float(Self.number(of: $0, pose)) })
  }

  private static func number(of token: Token, _ pose: HeadPose) -> Double {
    let sign: Double = token.isNegated ? -1 : 1
    switch token.value {
    case .w: return sign * pose.attitude.w
    case .x: return sign * pose.attitude.x
    case .y: return sign * pose.attitude.y
    case .z: return sign * pose.attitude.z
    case .angle(let angle, let isRadians, let isPositive):
      var radians = sign * angle.value(of: pose)
      if isPositive, radians < 0 { radians += 2 * .pi }
      return isRadians ? radians : Angle(radians: radians).degrees
    }
  }
}
