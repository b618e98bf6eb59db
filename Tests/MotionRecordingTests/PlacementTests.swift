// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import MotionRecording

/// Where a recording says that its device was worn.
@Suite struct PlacementTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// A table whose accelerations have these names.
  private func table(_ file: String, _ names: String = "ax,ay,az", above: String = "") throws -> Recording {
    let rows = (0..<60).map { "\(Double($0) / 50),0.1,0,\(9.8 + Double($0 % 3) / 100)\n" }.joined()
    return try Recording.open(path: folder.write(file, above + "t,\(names)\n" + rows))
  }

  @Test(arguments: [
    ("Apple Watch Ultra", Placement.wrist), ("left_wrist", .wrist), ("LeftWristIMU", .wrist), ("smartwatch", .wrist),
    ("WATCH7,1", .wrist), ("wrist", .wrist), ("iPhone15,2", .body), ("1601_phone_accel.csv.gz", .body),
    ("frontPocket", .body), ("user1_backpocket_15.csv", .body), ("hip", .body), ("body", .body), ("AirPods Pro", .head),
    ("Headphones", .head), ("earbuds", .head), ("head", .head), ("", nil), ("ship-7", nil), ("stop the header", nil),
    ("watchdog", nil), ("body_acc_x", nil), ("phone beside the watch", nil), ("Über-Gerät №3", nil),
  ])
  func wordsSayThePlaceUnlessThereAreTwo(text: String, placement: Placement?) {
    #expect(Placement(words: text) == placement)
  }

  @Test func aTableSaysItByItsColumnsElseAboveThemElseByItsName() throws {
    #expect(try table("walk.csv").placement == nil)
    #expect(try table("1601_watch_accel.csv").placement == .wrist)
    #expect(try table("watch.csv", "hip_acc_x,hip_acc_y,hip_acc_z").placement == .body)
    #expect(try table("phone.csv", above: "# device: Apple Watch Series 9\n").placement == .wrist)
    #expect(try table("phone_and_watch.csv").placement == nil)
  }

  @Test func theKindOfDeviceWinsOverTheNameOfTheFile() throws {
    let phone = try Recording.open(path: folder.write("watch.csv", Fixture.sensorLog()))
    #expect(phone.info.deviceClass == .phone && phone.placement == .body)
  }

  @Test func theNameOfADeviceIsThatOfItsTopics() throws {
    func recording(_ device: String) throws -> Recording {
      let lines = (0..<9).map {
        #"{"topic":"/\#(device)sensor/accelerometer","timestamp_ns":\#($0)0000000,"x":0,"y":0,"z":9.8}"# + "\n"
      }
      return try Recording.open(path: folder.write("a.ndjson", lines.joined()))
    }
    #expect(try recording("left_wrist/").placement == .wrist && recording("").placement == nil)
  }

  @Test func aCopyKeepsWhatTheRecordingSaid() throws {
    let watch = try table("watch.csv")
    func copy(_ info: SensorInfo, model: String? = nil) -> Placement? {
      var description = RecordingDescription(info: info)
      description.deviceModel = model
      let empty = SensorInfo(name: "", origin: .recording, pacing: .onDemand, channels: [])
      return RecordingDescription(metadata: description.metadata, info: empty).info.placement
    }
    #expect(copy(watch.info) == .wrist)
    var info = try table("walk.csv").info
    #expect(copy(info) == nil && copy(info, model: "Apple Watch") == .wrist)
    info.deviceClass = .headphones
    #expect(copy(info) == .head)
  }
}
