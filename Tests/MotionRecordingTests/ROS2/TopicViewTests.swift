// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import Testing

@testable import MotionRecording

/// What other programs see of a recording: `/imu/…` in ROS 2, `/tf` in Foxglove.
@Suite struct TopicViewTests {
  private static let second: Int64 = 1_000_000_000

  private static func description(_ kinds: SensorKinds, device: String = "") -> RecordingDescription {
    var description = RecordingDescription(
      info: SensorInfo(name: "test", origin: .simulation, pacing: .onDemand, channels: [.init(kind: kinds)]))
    description.wallOffset = .seconds(1_700_000_000)
    description.device = device
    return description
  }

  private static func fused(_ milliseconds: Int64, _ attitude: Rotation<Device, NorthWestUp>) -> RecordedItem {
    .sample(
      .motion(
        MotionRow(
          time: SensorInstant(nanoseconds: milliseconds * 1_000_000), w: attitude.w,
          vector: Vector3(x: attitude.x, y: attitude.y, z: attitude.z), reference: .xMagneticNorth,
          angularVelocity: Vector3(x: 0, y: 0, z: 1), gravity: Vector3(x: 0, y: 0, z: -1),
          linearAcceleration: Vector3(x: 0.5, y: 0, z: 0), accelerationUnit: .reversedGravity)), receivedAt: nil)
  }

  private static func gyroscope(_ milliseconds: Int64) -> RecordedItem {
    .sample(
      .gyroscope(
        GyroscopeSample(
          time: SensorInstant(nanoseconds: milliseconds * 1_000_000), angularVelocity: Vector3(x: 1, y: 2, z: 3))))
  }

  private static func accelerometer(_ milliseconds: Int64) -> RecordedItem {
    .sample(
      .accelerometer(
        AccelerometerSample(
          time: SensorInstant(nanoseconds: milliseconds * 1_000_000), reading: Vector3(x: 0, y: 0, z: -1),
          unit: .reversedGravity)))
  }

  private static func imu(_ message: TopicViewMessage) throws -> ROS2Message {
    try ROS2Message(.imu, decoding: message.body[...])
  }

  @Test func aChannelForEachSensorAndNoneForOthers() {
    let views = ROS2Views(Self.description([.inertial, .magnetometer, .airPressure]))
    #expect(views.channels.map(\.topic) == ["/imu/data", "/imu/mag", "/imu/pressure"])
    #expect(views.channels.map(\.schemaName).first == "sensor_msgs/msg/Imu")
    #expect(views.channels.allSatisfy { $0.messageEncoding == "cdr" && $0.schemaEncoding == "ros2msg" })
    let wrist = ROS2Views(Self.description(.temperature, device: "left_wrist"))
    #expect(wrist.channels.map(\.topic) == ["/left_wrist/imu/temperature"])
  }

  @Test func anImuJoinsGyroscopeAndLatestAccelerometerWithUnixStamps() throws {
    var views = ROS2Views(Self.description(.inertial))
    #expect(views.messages(for: Self.accelerometer(1000)).isEmpty)
    let messages = views.messages(for: Self.gyroscope(1004))
    let imu = try Self.imu(try #require(messages.first))
    #expect(messages.count == 1 && messages[0].time.nanoseconds == 1_004_000_000)
    #expect(imu.header.stamp == ROS2Time(seconds: 1_700_000_001, nanoseconds: 4_000_000))
    #expect(imu.header.frameID == "imu")
    // S1 the other way round: −1 g on z, face up, is +9.81 m/s² of specific force.
    #expect(imu.specificForce == Vector3(x: 0, y: 0, z: standardGravity))
    #expect(imu.angularVelocity == Vector3(x: 1, y: 2, z: 3))
    // −1 in the first covariance: not measured. Zeros in the others: not known how well.
    #expect(imu.numbers[4] == -1 && imu.numbers[28...] == ArraySlice(repeating: 0, count: 9))
    // Too old by a millisecond.
    let late = try Self.imu(try #require(views.messages(for: Self.gyroscope(1051)).first))
    #expect(late.specificForce == nil)
  }

  @Test func theAttitudeOfAnImuIsThatOfItsOwnTime() throws {
    var views = ROS2Views(Self.description(.inertial))
    _ = views.messages(for: Self.fused(0, .identity))
    // It waits for the attitude that is computed from it.
    #expect(views.messages(for: Self.gyroscope(10)).isEmpty)
    let messages = views.messages(for: Self.fused(10, Rotation(aboutZ: .pi / 2)))
    let imu = try Self.imu(try #require(messages.first))
    #expect(messages.count == 1)
    // Top edge to the west in x north, y west, so to the west in x east, y north too.
    let top = try #require(imu.attitude) * Vector3<Device>(x: 1, y: 0, z: 0)
    #expect(top.isApproximatelyEqual(to: Vector3(x: -1, y: 0, z: 0), tolerance: 1e-15))
    // Where the next one does not come the sample leaves with the last one, and without it when that is old.
    #expect(views.messages(for: Self.gyroscope(20)).isEmpty)
    #expect(try Self.imu(try #require(views.messages(for: Self.gyroscope(100)).first)).attitude != nil)
    #expect(try Self.imu(try #require(views.messages(for: Self.gyroscope(110)).first)).attitude == nil)
  }

  @Test func theLastGyroscopeSampleLeavesWhenNothingMoreComes() throws {
    var views = ROS2Views(Self.description([.accelerometer, .gyroscope, .motion]))
    _ = views.messages(for: Self.gyroscope(0))
    _ = views.messages(for: Self.fused(0, .identity))
    #expect(views.messages(for: Self.gyroscope(10)).isEmpty)
    let last = views.finish()
    #expect(last.map(\.time) == [SensorInstant(nanoseconds: 10_000_000)])
    #expect(try Self.imu(#require(last.first)).attitude != nil)
    #expect(views.finish().isEmpty)
  }

  @Test func fusedMotionAloneIsAWholeImu() throws {
    var views = ROS2Views(Self.description(.motion))
    let imu = try Self.imu(try #require(views.messages(for: Self.fused(5, .identity)).first))
    #expect(imu.specificForce == Vector3(x: -0.5 * standardGravity, y: 0, z: standardGravity))
    #expect(imu.angularVelocity == Vector3(x: 0, y: 0, z: 1))
    let north = try #require(imu.attitude) * Vector3<Device>(x: 1, y: 0, z: 0)
    #expect(north.isApproximatelyEqual(to: Vector3(x: 0, y: 1, z: 0), tolerance: 1e-15))
  }

  @Test func airAndWaterAreTwoTopics() throws {
    var views = ROS2Views(Self.description([.airPressure, .waterPressure]))
    for (index, medium) in [PressureSample.Medium.air, .water].enumerated() {
      let item = RecordedItem.sample(
        .pressure(PressureSample(time: SensorInstant(nanoseconds: 0), pressure: 101_325, medium: medium)))
      #expect(views.messages(for: item).map(\.channel) == [index])
    }
  }

  @Test func aTimeThatRosCannotWriteMakesNoMessage() {
    var views = ROS2Views(Self.description(.inertial))
    #expect(views.messages(for: Self.gyroscope(2_000_000_000_000)).isEmpty)
  }

  @Test func aTransformLeadsFromTheDeviceToTheReferenceFrame() throws {
    var views = FoxgloveViews(Self.description(.inertial))
    #expect(views.channels.map(\.topic) == ["/tf"])
    #expect(views.messages(for: Self.gyroscope(10)).isEmpty)
    let message = try #require(views.messages(for: Self.fused(1500, .identity)).first)
    #expect(
      String(decoding: message.body, as: UTF8.self)
        == #"{"timestamp":{"sec":1700000001,"nsec":500000000},"parent_frame_id":"magnetic_north","child_frame_id":"device","translation":{"x":0,"y":0,"z":0},"rotation":{"x":0.0,"y":0.0,"z":0.0,"w":1.0}}"#
    )
  }

  @Test(arguments: [
    (FoxgloveViews.typeName, FoxgloveViews.schema), ("foxglove.PoseInFrame", Topic(.truthPose).schema),
    ("foxglove.LocationFix", Topic(.location).schema),
  ])
  func theSchemasAreJSONAndNameTheirType(name: String, schema: String) throws {
    let object = try #require(try JSONSerialization.jsonObject(with: Data(schema.utf8)) as? [String: Any])
    #expect(object["title"] as? String == name)
    #expect((object["properties"] as? [String: Any])?["timestamp"] != nil)
  }
}
