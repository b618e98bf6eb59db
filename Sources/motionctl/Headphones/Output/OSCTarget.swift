// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Programs that render sound around a head, each with the message that it understands.
enum OSCTarget: Hashable, Sendable {
  /// IEM SceneRotator (plugins.iem.at): the rotation of the scene, which is the inverse of the head's, as w, x, y, z in the frame of
  /// ambisonics.
  case sceneRotator
  /// SPARTA (leomccormack.github.io/sparta-site): `/ypr`, degrees.
  case sparta
  /// TASCAR (tascar.org): the Euler angles about z, y and x of an object, degrees, in a frame with +x ahead and +y to the left.
  case tascar(object: String)
  /// Mach1 (dev.mach1.tech, “internal angle standard”): degrees, yaw + to the right, pitch + up, roll + to the right.
  /// The signs are Mach1's; the address `/orientation` and the port 9901 are not confirmed by any public page that was found.
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

  /// Where the program listens unless it was told otherwise; templates go where SPARTA listens.
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
