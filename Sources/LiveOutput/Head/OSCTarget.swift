// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Programs that render sound around a head, each with the message that it understands.
enum OSCTarget: Hashable, Sendable {
  /// IEM SceneRotator (plugins.iem.at): the rotation of the scene, which is the inverse of the head's, as w, x, y, z in
  /// the frame of ambisonics.
  case sceneRotator
  /// SPARTA (leomccormack.github.io/sparta-site): `/ypr`, degrees.
  case sparta
  /// TASCAR (tascar.org): the Euler angles about z, y and x of an object, degrees, in a frame with +x ahead and +y to
  /// the left.
  case tascar(object: String)
  /// Mach1 (dev.mach1.tech, “internal angle standard”): degrees, yaw + to the right, pitch + up, roll + to the right.
  /// The signs are Mach1's; the address `/orientation` and the port 9901 are not confirmed by any public page that was
  /// found.
  case mach1
  /// A message of one's own.
  case template(OSCTemplate)

  /// What stands behind `osc:`; nil when it is none of them.
  init?(_ text: String) {
    switch text.lowercased() {
    case "scenerotator": self = .sceneRotator
    case "sparta": self = .sparta
    case "tascar": self = .tascar(object: "head")
    case "mach1": self = .mach1
    default:
      if let name = text.wholeMatch(of: /(?i:tascar):([A-Za-z0-9_.\/-]{1,100})/)?.1 {
        self = .tascar(object: String(name))
      } else if let template = OSCTemplate(text) {
        self = .template(template)
      } else {
        return nil
      }
    }
  }

  /// Where the program listens unless configured otherwise; templates go where SPARTA listens.
  var port: UInt16 {
    switch self {
    case .sceneRotator: 8000
    case .sparta, .template: 9000
    case .tascar: 9877
    case .mach1: 9901
    }
  }

  func message(of pose: HeadPose) -> OSCMessage {
    func degrees(_ angles: Double...) -> [Float] { angles.map { Float(Angle(radians: $0).degrees) } }
    switch self {
    case .sceneRotator:
      let q = pose.ambisonic
      return OSCMessage(address: "/SceneRotator/quaternions", arguments: [q.w, -q.x, -q.y, -q.z].map(Float.init))
    case .sparta: return OSCMessage(address: "/ypr", arguments: degrees(pose.yaw, pose.pitch, pose.roll))
    case .mach1: return OSCMessage(address: "/orientation", arguments: degrees(-pose.yaw, pose.pitch, pose.roll))
    case .tascar(let object):
      let (w, x, y, z) = pose.ambisonic
      return OSCMessage(
        address: "/\(object)/zyxeuler",
        arguments: degrees(
          Scalar.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)), Scalar.asin(2 * (w * y - x * z)),
          Scalar.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))))
    case .template(let template): return template.message(of: pose)
    }
  }
}

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

/// A message of Open Sound Control 1.0 whose arguments are floats: address, type tags and arguments, texts ended by a
/// zero and filled up to four bytes, numbers big endian (opensoundcontrol.stanford.edu/spec-1_0.html).
struct OSCMessage: Hashable, Sendable {
  var address: String
  var arguments: [Float]

  var bytes: [UInt8] {
    var packet: [UInt8] = []
    Self.append(address, to: &packet)
    Self.append("," + String(repeating: "f", count: arguments.count), to: &packet)
    for argument in arguments { packet.append(bigEndian: argument.bitPattern) }
    return packet
  }

  private static func append(_ text: String, to packet: inout [UInt8]) {
    packet.append(contentsOf: text.utf8)
    // At least one zero.
    repeat { packet.append(0) } while !packet.count.isMultiple(of: 4)
  }

  /// Whether a text can be the address of a message: it begins with a slash and is printable ASCII without the
  /// characters that the format keeps for patterns and lists.
  static func isAddress(_ text: some StringProtocol) -> Bool {
    text.hasPrefix("/") && text.utf8.count > 1 && text.utf8.count <= 256
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"#*,?[]{}".utf8.contains($0) }
  }
}
