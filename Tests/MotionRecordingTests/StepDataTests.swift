// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

/// Data sets with steps and activities: Documentation/Formats.md 4.10. The texts are made up in the form of the real
/// ones.
@Suite struct StepDataTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func sevenColumnsOfOxfordAreATimeAnAccelerationAndCounts() throws {
    let text = "7034408932010,0.25,-0.5,9.75,0,0,0\n7034418932010,0.5,-0.5,9.5,0,1,0\n"
    let result = try read(folder.write("user9_hand_1.csv", text))
    #expect(result.recording.format == .oxfordSteps && result.recording.info.kinds == .accelerometer)
    #expect(result.accelerometer.map(\.time.nanoseconds) == [7_034_408_932_010, 7_034_418_932_010])
    #expect(result.accelerometer.map(\.specificForce.z) == [9.75, 9.5])
  }

  @Test func fiveColumnsOfOxfordHaveAStatusAndIncompleteRowsAreCountedByAStrictReaderToo() throws {
    let rows = (0..<8).map { "57808828736\(1000 + $0 * 10),3,1.25,3.5,9.\($0)" }
    let text = (rows[..<3] + ["578088287361035,3,1.25"] + rows[3...]).map { $0 + "\r\n" }.joined()
    let result = try read(folder.write("opt_x.accelerometer.csv", text))
    #expect(result.recording.format == .oxfordSteps && result.accelerometer.count == 8)
    #expect(result.statistics[.malformed] == 1 && result.accelerometer.first?.specificForce.x == 1.25)
    // Other damage still ends a strict reading.
    let broken = text.replacing("9.5", with: "9.x")
    #expect(failure(try folder.write("broken.csv", broken))?.place?.line == 7)
  }

  @Test(arguments: [
    "1234567,0.25,-0.5,9.75,0,0,0\n", "7034408932010,0.25,-0.5,9.75,0,0.5,0\n", "7034408932010,4,-0.5,9.75,0\n",
    "7034408932010,0.25,-0.5,9.75,0,0\n",
  ])
  func otherNumbersInARowAreNotTakenForOxfordSteps(line: String) throws {
    #expect(failure(try folder.write("numbers.csv", line + line))?.message.contains("not a known recording") == true)
  }

  @Test func timesOfWISDMAreARunningSumAndTheNameTellsTheDevice() throws {
    let text = "dt_ms,x,y,z\n0,1,2,9\n50,1,2,8\n49.5,1,2,7\n"
    let phone = try read(folder.write("1_phone_accel.csv", text))
    #expect(phone.recording.format == .wisdm && phone.recording.info.deviceClass == .phone)
    #expect(phone.accelerometer.map(\.time.nanoseconds) == [0, 50_000_000, 99_500_000])
    #expect(phone.accelerometer.first?.specificForce.z == 9 && phone.gyroscope.isEmpty)
    let gyroscope = try read(folder.write("1_watch_gyro.csv", text))
    #expect(gyroscope.recording.info.deviceClass == .watch && gyroscope.gyroscope.count == 3)
    #expect(failure(try folder.write("walk.csv", text))?.message.contains("phone or watch") == true)
  }

  @Test(arguments: [
    ("walking/2_watch_accel.csv,90\nwalking/2_watch_gyro.csv,30000090\n", [0, 50], [30, 80], "on one clock"),
    ("walking/2_watch_accel.csv,30000090\nwalking/2_watch_gyro.csv,90\n", [30, 80], [0, 50], "on one clock"),
    ("jogging/2_watch_accel.csv,90\njogging/2_watch_gyro.csv,30000090\n", [0, 50], [0, 50], "begin at 0"),
  ])
  func anAccelerometerOfWISDMTakesItsGyroscopeAlong(
    index: String, accelerometer: [Int64], gyroscope: [Int64], note: String
  ) throws {
    let activity = try folder.makeFolder("walking")
    _ = try folder.write("index.csv", "file,source_start_ns\n" + index)
    for name in ["accel", "gyro"] {
      _ = try folder.write("walking/2_watch_\(name).csv", "dt_ms,x,y,z\n0,1,2,9\n50,1,2,8\n")
    }
    let result = try read(activity + "/2_watch_accel.csv")
    #expect(result.accelerometer.map { $0.time.nanoseconds / 1_000_000 } == accelerometer)
    #expect(result.gyroscope.map { $0.time.nanoseconds / 1_000_000 } == gyroscope)
    #expect(result.recording.info.name.contains(note))
    #expect(failure(activity)?.message.contains("give one of them") == true)
  }

  @Test func aSumOfTimesThatOverflowsIsAnError() throws {
    let huge = "3000000000000000"
    let text = "dt_ms,x,y,z\n0,1,2,9\n\(huge),1,2,8\n\(huge),1,2,8\n"
    #expect(failure(try folder.write("1_phone_accel.csv", text)) != nil)
  }

  @Test func theRunOfADEPTIsReadAtTheHip() throws {
    let text = "t_s,hip_x_g,hip_y_g,hip_z_g,ankle_x_g,ankle_y_g,ankle_z_g\n0.00,0,-1,0,2,2,2\n0.01,0,-1,0,2,2,2\n"
    let result = try read(folder.write("run.csv", text))
    #expect(result.recording.format == .adeptRun && result.recording.info.name.contains("the hip"))
    #expect(result.accelerometer.allSatisfy { $0.specificForce.y == -9.80665 })
  }

  @Test(
    .enabled(if: RealData.exists("wisdm"), "needs shared/data/wisdm (OPENCOREMOTION_DATA)"),
    arguments: [
      ("steps_oxford/user2_hand_1506421987098.csv.gz", 19_853), ("wisdm/walking/1607_phone_accel.csv.gz", 4514),
      ("steps_oxford/opt_Pixel_Jamie_Carpet_InHand_1.accelerometer.csv.gz", 58_707),
      ("steps_mobilised/HA001_Test5_Trial2.csv.gz", 1075), ("running_adept/run_hip_ankle_100hz.csv.gz", 150_000),
      ("cmdevicemotion_sage/walk_data.csv.gz", 2991), ("motionsense/wlk/wlk_7_sub_1.csv.gz", 5439),
    ])
  func theSharedFilesAreReadAsTheyStand(file: String, count: Int) throws {
    let result = try read(RealData.folder + "/" + file)
    #expect(result.accelerometer.count == count && result.recording.warnings == [])
  }
}
