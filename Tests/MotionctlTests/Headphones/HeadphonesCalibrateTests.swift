// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import Testing

@testable import LiveOutput

/// `motionctl headphones calibrate` with a wearer who does what is asked, recorded in the axes of the bud.
@Suite struct HeadphonesCalibrateTests {
  /// Bud → head: a bud that lies far from any axis.
  private let mount = Rotation<Chip, Device>(nearUnitW: 0.48419, x: -0.40546, y: -0.75741, z: 0.16581)

  /// Looks ahead, nods twice, turns to the left and to the right; the nods go `roll` degrees aside, one to each side.
  private func wearer(roll: Double = 0, side: String = "left") throws -> HeadRecording {
    var poses: [HeadPose] = []
    var (yaw, pitch, tilt) = (200.0, 2.0, 0.0)
    func move(_ newYaw: Double, _ newPitch: Double, _ newTilt: Double, seconds: Double) {
      let count = Int(seconds * 50)
      for step in 1...count {
        let share = Double(step) / Double(count)
        func angle(_ from: Double, _ to: Double) -> Double { Angle(degrees: from + (to - from) * share).radians }
        poses.append(HeadPose(yaw: angle(yaw, newYaw), pitch: angle(pitch, newPitch), roll: angle(tilt, newTilt)))
      }
      (yaw, pitch, tilt) = (newYaw, newPitch, newTilt)
    }
    // The pose ahead is what counts as level.
    pitch = 0
    for roll in [roll, -roll] {
      move(yaw, 0, 0, seconds: 2.5)
      move(yaw, -25, roll, seconds: 0.6)
      move(yaw, -25, roll, seconds: 2)
      move(yaw, 0, 0, seconds: 0.6)
    }
    move(yaw, 0, 0, seconds: 0.5)
    move(yaw + 45, 0, 0, seconds: 1.5)
    move(yaw - 90, 0, 0, seconds: 3)
    return try HeadRecording(
      poses.map { pose in
        let q = pose.attitude * mount
        return (q.w, q.x, q.y, q.z)
      }, side: side)
  }

  @Test func aLookAndTwoNodsFindTheMount() throws {
    let (recording, folder) = (try wearer(), try TemporaryFolder())
    let result = try MotionctlProcess.run(
      "headphones", "calibrate", "\(recording.path)?speed=max", "--output", folder.path("mount.json"))
    #expect(result.code == 0 && result.text.contains("left bud: nod 25.0°"), "\(result.errors)")
    #expect(result.text.contains("written to \(folder.path("mount.json"))"))
    // Every prompt, in its order.
    let prompts = [
      "Look straight ahead", "Lower your chin", "Look straight ahead", "Lower your chin", "to the left", "right",
    ]
    var rest = result.errors[...]
    for prompt in prompts {
      let range = try #require(rest.range(of: prompt), "\(prompt) in \(result.errors)")
      rest = rest[range.upperBound...]
    }
    let file = try #require(
      try JSONSerialization.jsonObject(with: try folder.read("mount.json")) as? [String: Any])
    let numbers = try #require(file["rotation"] as? [Double])
    let found = Rotation<Chip, Device>(nearUnitW: numbers[0], x: numbers[1], y: numbers[2], z: numbers[3])
    #expect(Angle(radians: found.angle(to: mount)).degrees < 0.01)
    #expect(file["side"] as? String == "left" && file["format"] as? String == "opencoremotion-head-mount")
  }

  @Test func whatIsNoCalibrationIsNotWritten() throws {
    let folder = try TemporaryFolder()
    // The head does not nod.
    let still = try MotionctlProcess.run(
      "headphones", "calibrate", "simulate:headphones?head=rest&speed=max", "--for", "10", "--output",
      folder.path("mount.json"))
    #expect(still.code == 1 && still.errors.contains("Lower your chin") && still.errors.contains("Nothing was written"))
    // The nods go aside, one this way and one that way: it starts again, and there is no third and fourth.
    let askew = try wearer(roll: 10)
    let refused = try MotionctlProcess.run(
      "headphones", "calibrate", "\(askew.path)?speed=max", "--output", folder.path("mount.json"))
    #expect(refused.code == 1 && refused.errors.contains("The two nods went different ways"))
    #expect(try folder.names.isEmpty)
    // They are not worn.
    let notWorn = try MotionctlProcess.run(
      "headphones", "calibrate", "simulate:headphones?connected=no&duration=1&speed=max", "--output",
      folder.path("other.json"))
    #expect(notWorn.code == 1 && notWorn.errors.contains("No motion came"))
  }

  @Test func mistakesAreSaidBeforeAnybodyNods() throws {
    let homeless = try MotionctlProcess.run("headphones", "calibrate", "simulate:headphones")
    #expect(homeless.code == 1 && homeless.errors.contains("--output"))
    let raw = try MotionctlProcess.run(
      "headphones", "calibrate", "simulate:headphones?motion=raw", "--output", "/dev/null")
    #expect(raw.code == 1 && raw.errors.contains("no attitude of its own"))
    #expect(try MotionctlProcess.run("headphones", "calibrate", "simulate:headphones", "--nods", "3").code == 64)
  }
}
