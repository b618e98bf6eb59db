// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import Testing

/// `motionctl fuse` on simulated devices.
@Suite struct FuseTests {
  @Test func itWritesTheHeaderAndARowForEveryGyroscopeSample() throws {
    let result = try MotionctlProcess.run("fuse", "simulate:handheld", "--for", "3")
    #expect(result.code == 0)
    #expect(result.lines.first.map(String.init) == deviceMotionHeader)
    #expect(result.lines.count == 301)
    #expect(result.cells.allSatisfy { $0.count == 24 })
    #expect(result.errors.contains("300 rows over 2.99 s (100 Hz), frame xArbitraryZVertical"))
    #expect(result.errors.contains("motion: computed from the raw sensors"))
  }

  @Test func absentValuesAreEmptyCells() throws {
    let row = try #require(try MotionctlProcess.run("fuse", "simulate:rest", "--for", "1").cells.last)
    #expect(row[14...19].allSatisfy { $0.isEmpty })
    #expect(row[20] == "0" && row[21] == "1")
  }

  /// The filter says of each row how far it may be off, in degrees; of the azimuth from the first heading on.
  @Test func everyRowStatesItsDeviations() throws {
    let arbitrary = try MotionctlProcess.run("fuse", "simulate:handheld", "--for", "3")
    for row in arbitrary.cells.dropFirst() {
      let (inclination, heading) = (try #require(Double(row[22])), try #require(Double(row[23])))
      #expect(inclination > 0 && inclination < 90 && heading >= 0 && heading <= 180)
    }
    let magnetic = try MotionctlProcess.run("fuse", "simulate:handheld", "--for", "60", "--frame", "magnetic").cells
      .dropFirst()
    // A heading that is too uncertain to be called known states its deviation all the same.
    #expect(magnetic.allSatisfy { !$0[22].isEmpty && ($0[19].isEmpty || !$0[23].isEmpty) })
    #expect(magnetic.allSatisfy { $0[19].isEmpty == !((Double($0[23]) ?? 180) < 18.335) })
    let last = try #require(magnetic.last)
    // The accuracy of the heading is two of its deviations.
    #expect(abs(try #require(Double(last[19])) - 2 * (try #require(Double(last[23])))) < 1e-9)
  }

  @Test(arguments: ["arbitrary", "magnetic"])
  func itsNumbersAreThoseOfCMMotionManager(frame: String) throws {
    let fused = try MotionctlProcess.run("fuse", "simulate:handheld", "--for", "0.9", "--frame", frame)
    let streamed = try MotionctlProcess.run(
      "stream", "simulate:handheld?speed=max", "--for", "0.9", "--rate", "max", "--format", "csv", "--frame", frame)
    #expect(fused.lines.count == 91)
    #expect(fused.output == streamed.output)
  }

  @Test func twoRunsGiveTheSameBytes() throws {
    let folder = try TemporaryFolder()
    let first = try MotionctlProcess.run("fuse", "simulate:handheld", "--for", "5")
    let second = try MotionctlProcess.run("fuse", "simulate:handheld", "--for", "5", "-o", folder.path("out.csv"))
    #expect(second.code == 0)
    #expect(second.output.isEmpty)
    #expect(try folder.read("out.csv") == first.output)
    #expect(try folder.names == ["out.csv"])
  }

  @Test func ndjsonFollowsTheNameOfTheOutput() throws {
    let folder = try TemporaryFolder()
    let result = try MotionctlProcess.run("fuse", "simulate:spin", "--for", "1", "-o", folder.path("out.ndjson"))
    #expect(result.code == 0)
    let lines = try folder.read("out.ndjson").split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 100)
    for line in lines { #expect(try JSONSerialization.jsonObject(with: line) is [String: Any]) }
  }

  @Test func aSignalLeavesTheOldFileAsItWas() throws {
    let folder = try TemporaryFolder()
    try folder.write("old", to: "out.csv")
    let process = try MotionctlProcess(["fuse", "simulate:rest", "--for", "1e9", "-o", folder.path("out.csv")])
    // The temporary file is there once the run is on its way.
    try waitUntil { try folder.names.count == 2 && process.errorsSoFar.contains("simulation") }
    process.send(SIGTERM)
    let result = try process.finish()
    #expect(result.code == 128 + SIGTERM)
    #expect(result.errors.contains("was not written"))
    #expect(try folder.names == ["out.csv"])
    #expect(try folder.read("out.csv") == Data("old".utf8))
  }

  @Test func aFullDeviceIsAnErrorInOneSentence() throws {
    let result = try MotionctlProcess.run("fuse", "simulate:rest", "--for", "1", "-o", "/dev/full")
    #expect(result.code == 1)
    #expect(result.errorLines.last == "Error: Writing “/dev/full” failed: no space left on device.")
  }
}

/// The ending of an output's name says its format; one that says none is an error before anything is read.
@Suite struct OutputEndingTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    (["fuse", "simulate:rest", "--for", "1", "-o", "motion.tsv"], ".csv, .ndjson or .jsonl"),
    (["fuse", "simulate:rest", "--for", "1", "-o", "motion"], ".csv, .ndjson or .jsonl"),
    (["fuse", "simulate:rest", "--for", "1", "-o", "motion.csv.gz"], ".csv, .ndjson or .jsonl"),
    (["fuse", "simulate:rest?duration=1", "--learn", "phone.yaml"], ".json"),
    (["convert", "walk.csv", "walk.xyz"], "--to mcap, ndjson"),
    (["plot", "simulate:rest", "--for", "1", "-o", "walk.pdf"], "end it with .svg"),
    (["steps", "simulate:rest?duration=1", "-o", "steps.jpg"], "end it with .svg"),
    (["record", "simulate:rest", "--for", "1", "-o", "walk.csv"], ".mcap"),
    (["cut", "walk.mcap", "part.csv"], ".mcap"),
    (["calibrate", "gyro", "simulate:rest", "--output", "gyro.txt"], ".json"),
  ])
  func anEndingOfNoFormatIsRefusedWithTheKnownOnes(arguments: [String], endings: String) throws {
    let names = ["-o", "--output", "--learn"]
    let arguments = arguments.indices.map { index in
      index > 0 && names.contains(arguments[index - 1]) ? folder.path(arguments[index]) : arguments[index]
    }
    let result = try MotionctlProcess(arguments, environment: [:]).finish()
    #expect(result.code == 64 && result.errors.contains(endings), "\(result.errors)")
    #expect(try folder.names.isEmpty)
  }

  @Test func standardOutputDevicesAndAStatedFormatNeedNoEnding() throws {
    let usual = try MotionctlProcess.run("fuse", "simulate:rest", "--for", "1")
    #expect(try MotionctlProcess.run("fuse", "simulate:rest", "--for", "1", "-o", "-").output == usual.output)
    #expect(try MotionctlProcess.run("fuse", "simulate:rest", "--for", "1", "-o", "/dev/null").code == 0)
    let stated = folder.path("motion.txt")
    #expect(try MotionctlProcess.run("fuse", "simulate:rest", "--for", "1", "-o", stated, "--format", "csv").code == 0)
    #expect(try folder.read("motion.txt") == usual.output)
  }

  /// With a memory a recording runs in a hub, without one it is pulled.
  @Test(arguments: ["arbitrary", "magnetic"])
  func aRecordingThatIsPulledHasTheNumbersOfAHub(frame: String) throws {
    let folder = try TemporaryFolder()
    // Lies face up, then turns about z.
    let rows = (0..<900).map { index -> String in
      let angle = 1.0 * Double(max(0, index - 300)) / 200
      let turn = index > 300 ? "0.0981,0,9.81,0.001,0,1" : "0.001,0,9.81,0.001,0,0"
      return "\(Double(index) / 200),\(index == 400 ? "oops" : turn),\(20 * sin(angle)),\(20 * cos(angle)),-40\n"
    }
    try folder.write("t,ax,ay,az,gx,gy,gz,mx,my,mz\n" + rows.joined(), to: "walk.csv")
    let arguments = [
      "fuse", folder.path("walk.csv"), "--frame", frame, "--skip-errors", "--sign", "reaction",
      "--map", "t=t[s] ax=ax[m/s^2] ay=ay az=az gx=gx[rad/s] gy=gy gz=gz mx=mx[uT] my=my mz=mz",
    ]
    let pulled = try MotionctlProcess(arguments).finish()
    let hub = try MotionctlProcess(arguments + ["--learned", folder.path("nothing.json")]).finish()
    #expect(pulled.code == 0 && pulled.lines.count > 800)
    #expect(pulled.output == hub.output)
    let words = [pulled, hub].map { result in
      result.errorLines.map { $0.replacing(#/, in [^,]+$/#, with: "") }.filter { !$0.contains("nothing learned") }
    }
    #expect(words[0] == words[1])
    #expect(pulled.errors.contains("left out of the recording: 1 "))
  }
}

/// `motionctl fuse --smooth`.
@Suite struct FuseSmoothTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A recording of a simulated device.
  private func record(_ name: String, seconds: Int, seed: Int = 1) throws -> String {
    let path = folder.path(name)
    let result = try MotionctlProcess.run(
      "record", "simulate:handheld?speed=max&seed=\(seed)", "--for", "\(seconds)", "-o", path)
    try #require(result.code == 0, "\(result.errors)")
    return path
  }

  @Test func theRowsAreThoseOfTheFilterWithAHeadingFromTheFirstOn() throws {
    let path = try record("hand.mcap", seconds: 60)
    let plain = try MotionctlProcess.run("fuse", path, "--frame", "magnetic")
    let smooth = try MotionctlProcess.run("fuse", path, "--frame", "magnetic", "--smooth")
    #expect(smooth.code == 0)
    #expect(smooth.cells.map { $0[0] } == plain.cells.map { $0[0] })
    // Column 19 is the accuracy of the heading: the filter has none before it has calibrated the magnetometer.
    #expect(plain.cells.dropFirst().contains { $0[19].isEmpty })
    #expect(smooth.cells.dropFirst().allSatisfy { !$0[19].isEmpty })
    #expect(!smooth.errors.contains("not calibrated"))
    #expect(smooth.errors.contains("computed from the raw sensors, smoothed"))
    // Gravity and user acceleration stay one accelerometer sample.
    for (a, b) in zip(plain.cells.dropFirst(), smooth.cells.dropFirst()) {
      let sum = { (row: [Substring], axis: Int) in (Double(row[8 + axis]) ?? 0) + (Double(row[11 + axis]) ?? 0) }
      for axis in 0..<3 { #expect(abs(sum(a, axis) - sum(b, axis)) < 1e-9) }
    }
  }

  @Test func aLiveSourceAndLearnedErrorsAreRefused() throws {
    let live = try MotionctlProcess.run("fuse", "simulate:rest", "--for", "1", "--smooth")
    #expect(live.code != 0 && live.errors.contains("--smooth needs a recording"))
    let learned = try MotionctlProcess.run("fuse", "walk.csv", "--smooth", "--learned", "phone.json")
    #expect(learned.code == 64 && learned.errors.contains("leave --learn and --learned out"))
  }
}
