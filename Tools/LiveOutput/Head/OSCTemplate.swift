// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// A message to a program that renders sound around a head: `/ADDRESS token token…`, each token a number of the pose.
///
/// | token | meaning |
/// |---|---|
/// | `yaw` `pitch` `roll` | degrees, our signs |
/// | `…Rad` | the same in radians: `yawRad` |
/// | `…+` | counted from 0 to a full turn instead of from −half to half: `yaw+`, `yawRad+` |
/// | `qw` `qx` `qy` `qz` | the quaternion, head → level frame |
/// | `-…` | the number with the other sign: `-yaw`, `-qx` |
struct OSCTemplate: Hashable, Sendable {
  let address: String
  /// Where the program listens unless configured otherwise; a message of one's own goes where SPARTA listens.
  let port: UInt16
  private let words: [String]

  /// The message that a program understands, by the name behind `osc:`. The frame of ambisonics has +x ahead and +y to
  /// the left, so (x, y, z) is (y, −x, z) of ours there.
  private static let programs: [String: (template: String, port: UInt16)] = [
    // IEM SceneRotator (plugins.iem.at): the rotation of the scene, which is the inverse of the head's.
    "scenerotator": ("/SceneRotator/quaternions qw -qy qx -qz", 8000),
    // leomccormack.github.io/sparta-site
    "sparta": ("/ypr yaw pitch roll", 9000),
    // dev.mach1.tech, “internal angle standard”: yaw + to the right, pitch + up, roll + to the right. The signs are
    // Mach1's; the address and the port are not confirmed by any public page that was found.
    "mach1": ("/orientation -yaw pitch roll", 9901),
  ]

  /// The name of a program, `tascar:OBJECT` or a template; nil for anything else.
  init?(_ text: String) {
    let name = text.lowercased()
    var (template, port) = Self.programs[name] ?? (text, 9000)
    if let object = text.wholeMatch(of: /(?i:tascar)(?::([A-Za-z0-9_.\/-]{1,100}))?/) {
      // tascar.org: the angles about z, y and x of an object, in a frame with +x ahead and +y to the left.
      (template, port) = ("/\(object.1 ?? "head")/zyxeuler yaw -pitch roll", 9877)
    }
    let words = template.split(separator: " ").map(String.init)
    guard let address = words.first, OSCMessage.isAddress(address), (2...33).contains(words.count),
      words.dropFirst().allSatisfy({ Self.number($0, of: .identity) != nil })
    else { return nil }
    (self.address, self.port, self.words) = (address, port, Array(words.dropFirst()))
  }

  func message(of pose: HeadPose) -> OSCMessage {
    OSCMessage(address: address, arguments: words.map { Float(Self.number($0, of: pose) ?? 0) })
  }

  /// Nil for a word that is no token.
  private static func number(_ word: String, of pose: HeadPose) -> Double? {
    let sign: Double = word.hasPrefix("-") ? -1 : 1
    var name = word.dropFirst(sign < 0 ? 1 : 0)
    if let part = ["qw": pose.w, "qx": pose.x, "qy": pose.y, "qz": pose.z][name] { return sign * part }
    let isPositive = name.hasSuffix("+")
    if isPositive { name = name.dropLast() }
    let isRadians = name.hasSuffix("Rad")
    if isRadians { name = name.dropLast(3) }
    guard let angle = ["yaw": pose.yaw, "pitch": pose.pitch, "roll": pose.roll][name] else { return nil }
    var radians = sign * angle
    if isPositive, radians < 0 { radians += 2 * .pi }
    return isRadians ? radians : Angle(radians: radians).degrees
  }
}

/// A message of Open Sound Control 1.0 whose arguments are floats: address, type tags and arguments, texts ended by a
/// zero and filled up to four bytes, numbers big endian (opensoundcontrol.stanford.edu/spec-1_0.html).
struct OSCMessage: Hashable, Sendable {
  var address: String
  var arguments: [Float]

  var bytes: [UInt8] {
    var packet: [UInt8] = []
    for text in [address, "," + String(repeating: "f", count: arguments.count)] {
      packet += text.utf8
      // At least one zero.
      repeat { packet.append(0) } while !packet.count.isMultiple(of: 4)
    }
    for argument in arguments { packet.append(littleEndian: argument.bitPattern.byteSwapped) }
    return packet
  }

  /// Whether a text can be the address of a message: it begins with a slash and is printable ASCII without the
  /// characters that the format keeps for patterns and lists.
  static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("/") && text.utf8.count > 1 && text.utf8.count <= 256
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"#*,?[]{}".utf8.contains($0) }
  }
}
