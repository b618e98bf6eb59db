// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Testing

/// Files of loggers without a gyroscope, through the commands that need none.
@Suite struct WristFileTests {
  /// A GENEActiv file of ten minutes on one side, from 10:00.
  private static func geneActiv() -> String {
    var text = "Device Identity\nDevice Type:GENEActiv\nMeasurement Frequency:50 Hz\n"
    text += "x gain:25000\nx offset:0\ny gain:25000\ny offset:0\nz gain:25000\nz offset:0\n\n"
    for page in 0..<100 {
      let (minute, second) = (page / 10, page % 10 * 6)
      let time = "2024-03-04 10:0\(minute):\(second < 10 ? "0" : "")\(second):000"
      text += "Recorded Data\nSequence Number:\(page)\nPage Time:\(time)\nMeasurement Frequency:50.0\n"
      // 250 counts on z are 1 g.
      text += String(repeating: "0000000FA1A4", count: 300) + "\n"
    }
    return text
  }

  @Test(arguments: ["America/New_York", "Asia/Tokyo", "UTC"])
  func theHoursOfALoggerAreThoseOfItsOwnClock(zone: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.geneActiv(), to: "a.bin")
    let path = folder.path("a.bin")
    let day = try MotionctlProcess.run("day", path, environment: ["TZ": zone])
    #expect(day.code == 0 && day.lines[0].contains("2024-03-04, from 10:00:00"), "\(day.text)")
    let activity = try MotionctlProcess.run("activity", path, environment: ["TZ": zone])
    #expect(activity.code == 0 && activity.text.contains("10:00:00"), "\(activity.text)")
    let info = try MotionctlProcess.run("info", path, environment: ["TZ": zone])
    #expect(info.text.contains("began 2024-03-04T10:00:00.000\n"), "\(info.text)")
  }

  @Test(arguments: ["steps", "activity", "day"]) func aTableOfAnAccelerometerAloneIsEnough(command: String) throws {
    let folder = try TemporaryFolder()
    let rows = (0..<2000).map { "\(Double($0) / 50),0.1,0.2,9.8\n" }.joined()
    try folder.write("t,ax,ay,az\n" + rows, to: "a.csv")
    let path = folder.path("a.csv")
    let map = "t=t[s] ax=ax[m/s^2] ay=ay az=az"
    let result = try MotionctlProcess.run(command, path, "--map", map, "--sign", "reaction")
    #expect(result.code == 0 && !result.output.isEmpty, "\(result.errors)")
  }
}
