// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import Testing

/// `motionctl cut`: the same messages, fewer of them.
@Suite struct CutTests {
  private static func record(_ folder: TemporaryFolder, _ options: String...) throws -> [RecordedMessage] {
    let result = try MotionctlProcess(
      ["record", "simulate:handheld?speed=max", "-o", folder.path("a.mcap"), "--for", "10", "--with", "ros2"] + options
    ).finish()
    try #require(result.code == 0)
    return try RecordedMessage.all(of: folder.path("a.mcap"))
  }

  @Test(arguments: ["none", "zstd", "lz4"])
  func aPartIsTheSameBytes(compression: String) throws {
    let folder = try TemporaryFolder()
    let all = try Self.record(folder)
    let result = try MotionctlProcess.run(
      "cut", folder.path("a.mcap"), folder.path("b.mcap"), "--from", "2s", "--to", "0.1min", "--compress", compression)
    // Where the system has no library for it, the option is refused.
    if compression != "none", result.code != 0, result.errors.contains("is needed; install") { return }
    try #require(result.code == 0, "\(result.errors)")
    let wanted = all.filter { (2_000_000_000..<6_000_000_000).contains($0.publishTime) }
    #expect(try RecordedMessage.all(of: folder.path("b.mcap")) == wanted)
    #expect(wanted.count > 1000)
    let report = try InfoOutput(of: folder.path("b.mcap"))
    #expect(report["compression"] as? String == compression)
    #expect(report["source"] as? String == "simulate:handheld")
    #expect(try folder.names == ["a.mcap", "b.mcap"])
  }

  @Test func aStreamAloneIsTheSameBytes() throws {
    let folder = try TemporaryFolder()
    let all = try Self.record(folder)
    let result = try MotionctlProcess.run(
      "cut", folder.path("a.mcap"), folder.path("b.mcap"), "--stream", "gyroscope", "--stream", "/imu/data")
    #expect(result.code == 0)
    let wanted = all.filter { ["/sensor/gyroscope", "/imu/data"].contains($0.topic) }
    #expect(try RecordedMessage.all(of: folder.path("b.mcap")) == wanted)
    let none = try MotionctlProcess.run("cut", folder.path("a.mcap"), folder.path("c.mcap"), "--stream", "barometer")
    #expect(none.code == 1)
    #expect(none.errors.contains("/sensor/gyroscope"))
    #expect(try folder.names == ["a.mcap", "b.mcap"])
  }

  /// Instants of the wall clock work where the recording knows it, and are refused where it does not.
  @Test func instantsOfTheWallClock() throws {
    let folder = try TemporaryFolder()
    _ = try Self.record(folder)
    let unknown = try MotionctlProcess.run(
      "cut", folder.path("a.mcap"), folder.path("b.mcap"), "--to", "2026-11-21T10:00:00Z")
    #expect(unknown.code == 1)
    #expect(unknown.errors.contains("does not know the wall clock"))

    let live = try MotionctlProcess.run("record", "simulate:handheld", "-o", folder.path("c.mcap"), "--for", "1")
    try #require(live.code == 0)
    let all = try RecordedMessage.all(of: folder.path("c.mcap"))
    let middle = try #require(all.first).publishTime + 500_000_000
    // To the microsecond.
    let rounded = (middle + 500) / 1000 * 1000
    let date = Date(timeIntervalSince1970: Double(rounded) / 1e9)
    let known = try MotionctlProcess.run(
      "cut", folder.path("c.mcap"), folder.path("d.mcap"), "--from",
      date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    #expect(known.code == 0)
    let part = try RecordedMessage.all(of: folder.path("d.mcap"))
    // The text has milliseconds.
    let first = try #require(part.first).publishTime
    #expect(first.distance(to: rounded).magnitude < 11_000_000)
    #expect(part == Array(all.suffix(part.count)))
  }

  @Test func partsOfOtherFormatsAreConverted() throws {
    let folder = try TemporaryFolder()
    var (accelerometer, gyroscope) = ("", "")
    for index in 0..<500 {
      let time = 1_000_000_000_000 + index * 10_000_000
      accelerometer += "\(time),-0.0980665,0.0,9.80665\n"
      gyroscope += "\(time),0.0,0.0,0.5\n"
    }
    try folder.writeRecording(accelerometer: accelerometer, gyroscope: gyroscope)
    let output = try TemporaryFolder()
    let refused = try MotionctlProcess.run("cut", folder.url.path, output.path("a.mcap"), "--from", "1s")
    #expect(try refused.code == 1 && refused.errors.contains("motionctl convert cuts it") && output.names == [])
    let result = try MotionctlProcess.run("convert", folder.url.path + "?from=1&to=3", output.path("a.mcap"))
    #expect(result.code == 0)
    let report = try InfoOutput(of: output.path("a.mcap"))
    #expect(report.samples == ["accelerometer": 200, "gyroscope": 200])
    #expect(report.streams.first?["rate"] as? Double == 100)
  }

  /// What arrives first need not have been measured first, and a clock that was set must not end a program.
  @Test func timesInAnyOrderAreMeasuredFromTheFirst() throws {
    let folder = try TemporaryFolder()
    func line(_ time: Int64, _ sensor: String) -> String {
      #"{"topic":"/sensor/\#(sensor)","timestamp_ns":\#(time),"x":0,"y":0,"z":9.8}"# + "\n"
    }
    let times: [Int64] = [20_000_000, 3_999_999_999_980_000_000, 3_999_999_999_990_000_000, 3_999_999_999_999_000_000]
    try folder.write(
      times.map { line($0, "accelerometer") + line($0 - 10_000_000, "gyroscope") }.joined(), to: "a.ndjson")
    _ = try MotionctlProcess.run("convert", folder.path("a.ndjson"), folder.path("a.mcap"))
    let result = try MotionctlProcess.run("cut", folder.path("a.mcap"), folder.path("b.mcap"), "--from", "300y")
    #expect(result.code == 64)
    let nothing = try MotionctlProcess.run("cut", folder.path("a.mcap"), folder.path("b.mcap"), "--from", "8e9")
    #expect(nothing.code == 1 && nothing.errors.contains("lasts 1111111 h 6 min"), "\(nothing.errors)")
    for input in ["a.ndjson", "a.mcap"] {
      let fused = try MotionctlProcess.run("fuse", folder.path(input))
      #expect(fused.code == 0 && fused.cells.count > 1, "\(fused.errors)")
      let recorded = try MotionctlProcess.run(
        "record", "\(folder.path(input))?speed=max", "-o", folder.path("c.mcap"), "--force")
      #expect(recorded.code == 0, "\(recorded.errors)")
    }
  }

  /// `info` and `convert` take what every other command takes.
  @Test func anAddressWithOptionsIsARecordingToo() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "ms,a,b,c\n" + (0..<300).map { "\($0 * 10),0,0,9.81\n" }.joined(), to: "log.csv")
    let map = folder.path("log.csv") + "?map=t=ms[ms] ax=a[m/s^2] ay=b az=c%26sign=reaction".replacing("%26", with: "&")
    let info = try InfoOutput(of: map)
    #expect(info.samples == ["accelerometer": 300])
    let cut = try MotionctlProcess.run("convert", map + "&from=1&to=2", folder.path("a.mcap"))
    #expect(cut.code == 0, "\(cut.errors)")
    #expect(try InfoOutput(of: folder.path("a.mcap")).samples == ["accelerometer": 100])
    let part = try InfoOutput(of: folder.path("a.mcap") + "?from=0.5")
    #expect(part.samples == ["accelerometer": 50])
    let whole = try MotionctlProcess.run("cut", "replay:\(folder.path("a.mcap"))", folder.path("c.mcap"))
    #expect(whole.code == 0 && whole.errors.contains("100 messages"))
  }

  @Test func theInputIsNeverWrittenOver() throws {
    let folder = try TemporaryFolder()
    let all = try Self.record(folder)
    let result = try MotionctlProcess.run("cut", folder.path("a.mcap"), folder.path("a.mcap"), "--force")
    #expect(result.code == 1)
    #expect(try RecordedMessage.all(of: folder.path("a.mcap")) == all)
    let nothing = try MotionctlProcess.run("cut", folder.path("a.mcap"), folder.path("b.mcap"), "--from", "1h")
    #expect(nothing.code == 1)
    #expect(nothing.errors.contains("lasts"))
    #expect(try folder.names == ["a.mcap"])
  }
}

/// A message of an MCAP file as another program sees it.
struct RecordedMessage: Hashable {
  var topic: String
  var sequence: UInt32
  var logTime: UInt64
  var publishTime: UInt64
  var body: [UInt8]

  static func all(of path: String) throws -> [RecordedMessage] {
    let reader = try MCAPReader(path: path)
    var messages: [RecordedMessage] = []
    while let message = try reader.next() {
      messages.append(
        RecordedMessage(
          topic: reader.index.channels[message.channel]?.topic ?? "", sequence: message.sequence,
          logTime: message.logTime,
          publishTime: message.publishTime, body: Array(message.body)))
    }
    return messages
  }

  /// The same but for the number that each file counts for itself.
  var withoutSequence: RecordedMessage {
    var message = self
    message.sequence = 0
    return message
  }
}

// What no recording is, and times that no recording has.
extension CutTests {
  /// Nanoseconds since 1970 end in 2262; what lies behind is behind every recording.
  @Test func instantsThatNoClockReachesAreAnswered() throws {
    let folder = try TemporaryFolder()
    let live = try MotionctlProcess.run("record", "simulate:handheld", "-o", folder.path("a.mcap"), "--for", "0.3")
    try #require(live.code == 0)
    let late = try MotionctlProcess.run(
      "cut", folder.path("a.mcap"), folder.path("b.mcap"), "--from", "2263-01-01T00:00:00Z")
    #expect(late.code == 1)
    #expect(late.errors.contains("There is nothing between these times"))
    let whole = try MotionctlProcess.run(
      "cut", folder.path("a.mcap"), folder.path("c.mcap"), "--from", "1600-01-01T00:00:00Z", "--to",
      "9999-01-01T00:00:00Z")
    #expect(whole.code == 0)
    #expect(
      try RecordedMessage.all(of: folder.path("c.mcap")) == RecordedMessage.all(of: folder.path("a.mcap")))
  }

  /// A pipe that nobody writes to would be waited for, without an end.
  @Test func pipesAndDevicesAreRefused() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path("pipe.mcap")
    try #require(mkfifo(pipe, 0o600) == 0)
    for input in [pipe, "/dev/zero"] {
      for arguments in [["info", input], ["cut", input, folder.path("b.mcap")]] {
        let result = try MotionctlProcess(arguments).finish()
        #expect(result.code == 1)
        #expect(result.errors.contains("This is not a regular file"), "\(arguments): \(result.errors)")
      }
    }
    #expect(try folder.names == ["pipe.mcap"])
  }
}
