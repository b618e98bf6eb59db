// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HeadphoneSources
import LinuxSources
import MotionMath
import Testing

@testable import LiveOutput

/// `motionctl headphones --to` as a receiving program sees it.
@Suite struct HeadphonesToTests {
  private func degrees(_ packet: [UInt8]) -> [Double] {
    stride(from: 24, to: packet.count, by: 8).map { start in
      Double(bitPattern: packet[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
  }

  /// Straight ahead, then a turn to the left, a nod down, a tilt to the left shoulder: ten samples each. The azimuth is
  /// that of the headphones, which is arbitrary.
  private func gestures() throws -> HeadRecording {
    let poses = [(0.0, 0.0, 0.0), (30, 0, 0), (0, -20, 0), (0, 0, -15)]
    return try HeadRecording(
      poses.flatMap { pose in
        let (yaw, pitch, roll) = (pose.0 + 77, pose.1, pose.2)
        let q = HeadPose(
          yaw: Angle(degrees: yaw).radians, pitch: Angle(degrees: pitch).radians, roll: Angle(degrees: roll).radians
        )
        return Array(repeating: (q.w, q.x, q.y, q.z), count: 10)
      })
  }

  /// Signs that receivers rely on: left is +, down is −, the left shoulder is −.
  @Test func opentrackHearsLeftTurnNodDownAndLeftTilt() throws {
    let (listener, recording) = (try HeadListener(), try gestures())
    let result = try MotionctlProcess.run(
      "headphones", "\(recording.path)?speed=max", "--to", "opentrack@:\(listener.port)")
    #expect(result.code == 0 && result.output.isEmpty, "\(result.errors)")
    #expect(result.errors.contains("opentrack: 127.0.0.1:\(listener.port): 40 sent; recentred 1 time"))
    let packets = listener.packets()
    try #require(packets.count == 40 && packets.allSatisfy { $0.count == 48 && $0[..<24].allSatisfy { $0 == 0 } })
    for (index, wanted) in [[0.0, 0, 0], [30, 0, 0], [0, -20, 0], [0, 0, -15]].enumerated() {
      for packet in packets[(index * 10)..<(index * 10 + 10)] {
        #expect(zip(degrees(packet), wanted).allSatisfy { abs($0 - $1) < 1e-6 }, "\(degrees(packet))")
      }
    }
  }

  @Test func severalProgramsHearTheSameHead() throws {
    let (first, second) = (try HeadListener(), try HeadListener())
    let recording = try gestures()
    let result = try MotionctlProcess.run(
      "headphones", "\(recording.path)?speed=max", "--to", "opentrack@:\(first.port)", "--to",
      "osc:/head yaw -pitch@127.0.0.1:\(second.port)")
    #expect(result.code == 0, "\(result.errors)")
    let (opentrack, osc) = (first.packets(), second.packets())
    #expect(opentrack.count == 40 && osc.count == 40)
    #expect(osc.allSatisfy { $0.starts(with: Array("/head\0\0\0,ff\0".utf8)) && $0.count == 20 })
  }

  /// A simulated head with errors, filtered by us: never a number that is none.
  @Test func everyPacketOfASimulationIsFinite() throws {
    let listener = try HeadListener()
    for options in ["motion=raw&errors=controller&", "switchAt=1:2&takeOffAt=2.5&putOnAt=3&"] {
      let result = try MotionctlProcess.run(
        "headphones", "simulate:headphones?\(options)speed=max&gate=500", "--to", "opentrack@:\(listener.port)",
        "--for",
        "2")
      #expect(result.code == 0, "\(result.errors)")
      let packets = listener.packets()
      #expect(packets.count >= 95, "\(result.errors)")
      #expect(packets.allSatisfy { degrees($0).allSatisfy(\.isFinite) })
    }
  }

  /// Read until the head has turned far, ask for straight ahead, and read that it is there.
  @Test func theSignalSetsStraightAhead() throws {
    let listener = try HeadListener()
    let process = try MotionctlProcess(
      ["headphones", "simulate:headphones?head=spin", "--to", "opentrack@:\(listener.port)"])
    func wait(_ condition: @escaping (Double) -> Bool) {
      waitUntil { listener.packets().contains { condition(degrees($0)[0]) } }
    }
    // 90°/s.
    wait { $0 > 70 }
    process.send(SIGUSR1)
    wait { (0..<30).contains($0) }
    process.send(SIGINT)
    let result = try process.finish()
    #expect(result.code == 130 && result.errors.contains("recentred 2 times"), "\(result.errors)")
  }

  @Test func mistakesAreSaidInASentence() throws {
    let bare = try MotionctlProcess.run("headphones", "--to", "opentrack", "--for", "1")
    #expect(bare.errors.contains("MOTION_HEADPHONES") && bare.errors.contains("“motionctl headphones” says"))
    #expect(try MotionctlProcess.run("headphones", "simulate:headphones", "--to", "carrier-pigeon").code == 64)
    #expect(try MotionctlProcess.run("headphones", "simulate:headphones", "--for", "1").code == 64)
    let host = try MotionctlProcess.run("headphones", "simulate:headphones", "--to", "opentrack@no.such.invalid")
    #expect(host.code == 1 && host.errors.contains("is not found"))
    if !BlueZ().isAdapterPresent {
      for command in [["stream", "airpods:"], ["headphones", "airpods:", "--to", "opentrack"]] {
        let result = try MotionctlProcess(command + ["--for", "5"]).finish()
        #expect(result.code == 1 && result.errors.contains("no Bluetooth adapter"), "\(result.errors)")
      }
    }
    let dive = try MotionctlProcess.run(
      "headphones", "simulate:dive?accelerometer=no&gyroscope=no", "--to", "opentrack")
    #expect(dive.code != 0)
  }
}
