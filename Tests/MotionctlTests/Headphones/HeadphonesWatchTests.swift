// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HeadphoneSources
import LinuxSources
import MotionMath
import Testing

@testable import LiveOutput

/// `motionctl headphones watch` as a person and a receiving program see it.
@Suite struct HeadphonesWatchTests {
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
        ).attitude
        return Array(repeating: (q.w, q.x, q.y, q.z), count: 10)
      })
  }

  /// Signs that receivers rely on: left is +, down is −, the left shoulder is −.
  @Test func opentrackHearsLeftTurnNodDownAndLeftTilt() throws {
    let (listener, recording) = (try HeadListener(), try gestures())
    let result = try MotionctlProcess.run(
      "headphones", "\(recording.path)?speed=max", "--to", "opentrack", "--port", "\(listener.port)")
    #expect(result.code == 0 && result.output.isEmpty, "\(result.errors)")
    #expect(result.errors.contains("opentrack → 127.0.0.1:\(listener.port): 40 sent"))
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
      "headphones", "watch", "\(recording.path)?speed=max", "--to", "freepie@:\(first.port)", "--to",
      "osc:/head yaw -pitch@127.0.0.1:\(second.port)", "--to", "ndjson", "--invert", "yaw", "--rate", "25")
    #expect(result.code == 0, "\(result.errors)")
    let (freePIE, osc) = (first.packets(), second.packets())
    #expect(freePIE.count == 20 && osc.count == 20 && result.lines.count == 20)
    let turned = try #require(freePIE.dropFirst(5).first)
    let yaw = turned[2..<6].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    #expect(abs(Double(Float(bitPattern: yaw)) + Angle(degrees: 30).radians) < 1e-5)
    #expect(osc.allSatisfy { $0.starts(with: Array("/head\0\0\0,ff\0".utf8)) && $0.count == 20 })
    // What goes to standard output is Core Motion's: not recentred, not inverted.
    let line = try #require(result.lines.first)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(object["topic"] as? String == "/motion/headphone" && object["sensorLocation"] as? Int == 1)
    let z = try #require((object["attitude"] as? [String: Double])?["z"])
    #expect(abs(z - sin(Angle(degrees: 77 / 2).radians)) < 1e-9)
  }

  /// Everything is in the file, whatever is sent and shown, and it replays.
  @Test func whatIsFollowedIsRecordedBeside() throws {
    let (listener, folder) = (try HeadListener(), try TemporaryFolder())
    let path = folder.path("head.mcap")
    let result = try MotionctlProcess.run(
      "headphones", "simulate:headphones?speed=max&side=right&switchAt=1", "--to", "opentrack@:\(listener.port)",
      "--rate",
      "10", "--for", "3", "--record", path)
    #expect(result.code == 0 && result.errors.contains("samples recorded in \(path)"), "\(result.errors)")
    let sent = listener.packets()
    let replay = try MotionctlProcess.run("headphones", "\(path)?speed=max", "--to", "ndjson")
    #expect(replay.code == 0 && (149...153).contains(replay.lines.count), "\(replay.errors)")
    #expect((29...32).contains(sent.count))
    let again = try MotionctlProcess.run(
      "headphones", "simulate:headphones?speed=max", "--for", "1", "--record", path)
    #expect(again.code == 1 && again.errors.contains("head.mcap"))
    let other = try MotionctlProcess.run("headphones", "simulate:headphones", "--record", folder.path("head.csv"))
    #expect(other.code == 64)
    // Nobody wears them: no file that stands in the way.
    let notWorn = try MotionctlProcess.run(
      "headphones", "simulate:headphones?connected=no&duration=1&speed=max", "--record", folder.path("other.mcap"))
    #expect(try notWorn.code == 1 && folder.names == ["head.mcap"])
  }

  /// A simulated head with errors, filtered by us: never a number that is none.
  @Test func everyPacketOfASimulationIsFinite() throws {
    let listener = try HeadListener()
    for options in ["motion=raw&errors=controller&", "switchAt=1:2&takeOffAt=2.5&putOnAt=3&"] {
      let result = try MotionctlProcess.run(
        "headphones", "simulate:headphones?\(options)speed=max", "--to", "opentrack@:\(listener.port)", "--smoothing",
        "light", "--auto-recentre", "20", "--for", "2")
      #expect(result.code == 0, "\(result.errors)")
      let packets = listener.packets()
      #expect(packets.count >= 95 && packets.allSatisfy { degrees($0).allSatisfy(\.isFinite) })
    }
  }

  @Test func withoutATerminalThereIsALineNowAndThen() throws {
    let result = try MotionctlProcess.run(
      "headphones", "--for", "2", environment: ["MOTION_HEADPHONES": "simulate:headphones?speed=max&side=right"])
    #expect(result.code == 0 && (9...11).contains(result.lines.count), "\(result.errors)")
    #expect(result.lines.first == "    0.000  yaw    +0.0°  pitch    +0.0°  roll    +0.0°  right bud")
    #expect(result.errors.contains("a simulation, no sensor is read") && result.errors.contains("recentred 1 time"))
    #expect(!result.text.contains("\u{1B}"))
  }

  /// Read until the head has turned far, ask for straight ahead, and read that it is there.
  private func recentres(_ arguments: [String], _ ask: (MotionctlProcess) throws -> Void) throws {
    let process = try MotionctlProcess(["headphones", "simulate:headphones?head=spin"] + arguments)
    var text = ""
    func yaws() -> [Double] {
      text.split(separator: "\n").compactMap { line in
        line.split(separator: "yaw").last.flatMap { Double($0.prefix { $0 != "°" }.filter { $0 != " " }) }
      }
    }
    while let data = Optional(process.readSome()), !data.isEmpty {
      text += String(decoding: data, as: UTF8.self)
      if let last = yaws().last, last > 70 { break }
    }
    try ask(process)
    let before = yaws().count
    // 90°/s, a line every 18°: without it, it would go on from 70° to 180°.
    while let data = Optional(process.readSome()), !data.isEmpty {
      text += String(decoding: data, as: UTF8.self)
      if yaws().dropFirst(before).contains(where: { (0..<30).contains($0) }) { break }
      try #require(yaws().count < before + 20, "\(text)")
    }
    process.send(SIGINT)
    let result = try process.finish(after: Data(text.utf8))
    #expect(result.code == 130 && result.errors.contains("recentred 2 times"), "\(result.errors)")
  }

  @Test func theSignalSetsStraightAhead() throws {
    try recentres([]) { $0.send(SIGUSR1) }
  }

  @Test func theControlSocketSetsStraightAheadAndGoesAway() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("head")
    try recentres(["--control", path]) { _ in
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
      try sendDatagram("recentre\n", to: path)
    }
    #expect(try folder.names.isEmpty)
    // A file that is no socket is left alone.
    try folder.write("mine", to: "head")
    let refused = try MotionctlProcess.run("headphones", "simulate:headphones", "--for", "1", "--control", path)
    #expect(refused.code == 1 && refused.errors.contains("is no socket"))
    #expect(try folder.read("head") == Data("mine".utf8))
  }

  @Test func mistakesAreSaidInASentence() throws {
    let bare = try MotionctlProcess.run("headphones", "--to", "ndjson", "--for", "1")
    #expect(bare.errors.contains("MOTION_HEADPHONES") && bare.errors.contains("motionctl headphones status"))
    #expect(try MotionctlProcess.run("headphones", "simulate:headphones", "--to", "carrier-pigeon").code == 64)
    let ports = try MotionctlProcess.run(
      "headphones", "simulate:headphones", "--to", "opentrack", "--to", "freepie", "--port", "1")
    #expect(ports.code == 64 && ports.errors.contains("opentrack@HOST:PORT"))
    let host = try MotionctlProcess.run("headphones", "simulate:headphones", "--to", "opentrack@no.such.invalid")
    #expect(host.code == 1 && host.errors.contains("is not found"))
    if !BlueZ().isAdapterPresent {
      for command in ["stream", "headphones"] {
        let result = try MotionctlProcess.run(command, "airpods:", "--for", "5")
        #expect(result.code == 1 && result.errors.contains("no Bluetooth adapter"), "\(result.errors)")
      }
    }
    let dive = try MotionctlProcess.run("headphones", "simulate:dive?accelerometer=no&gyroscope=no")
    #expect(dive.code != 0)
    // Nobody wears them: an end without a sample is no success.
    let none = try MotionctlProcess.run("headphones", "simulate:headphones?connected=no", "--for", "0.5")
    #expect(none.code == 1 && none.errors.contains("No motion came"))
  }
}
