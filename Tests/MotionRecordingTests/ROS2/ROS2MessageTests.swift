// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import Testing

@testable import MotionRecording

/// CDR messages of ROS 2: the bytes are those of an independent encoder (PyPI `mcap-ros2-support` 0.6.0), and whatever
/// a peer sends is read or refused.
@Suite struct ROS2MessageTests {
  static let header = ROS2Header(stamp: ROS2Time(seconds: 1234, nanoseconds: 567), frameID: "imu")
  static let imu = ROS2Message.imu(
    header, attitude: nil, angularVelocity: Vector3(x: 1, y: 2, z: 3),
    specificForce: Vector3(x: 0.5, y: -0.25, z: 9.75))

  @Test func anImuWithTheFrameImuHas316BytesAsOthersWriteThem() {
    let bytes = Self.imu.encoded()
    #expect(bytes.count == 316)
    var expected: [UInt8] = [0, 1, 0, 0, 0xD2, 4, 0, 0, 0x37, 2, 0, 0, 4, 0, 0, 0]
    expected += Array("imu\0".utf8)
    let zeros = [Double](repeating: 0, count: 9)
    // Twenty bytes so far, sixteen of them behind the encapsulation: no padding.
    let doubles = [0, 0, 0, 1, -1] + zeros.dropFirst() + [1, 2, 3] + zeros + [0.5, -0.25, 9.75] + zeros
    for value in doubles { withUnsafeBytes(of: value.bitPattern.littleEndian) { expected += $0 } }
    #expect(bytes == expected)
  }

  @Test func aPressureBeforeTheEpochHasTheBytesOfAnotherEncoder() {
    let header = ROS2Header(stamp: ROS2Time(seconds: -1, nanoseconds: 999_999_999), frameID: "base")
    var message = ROS2Message.fluidPressure(header, 101_325)
    message.numbers[1] = 4
    #expect(
      message.encoded() == [
        0, 1, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xC9, 0x9A, 0x3B, 5, 0, 0, 0, 0x62, 0x61, 0x73, 0x65, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0xD0, 0xBC, 0xF8, 0x40, 0, 0, 0, 0, 0, 0, 0x10, 0x40,
      ])
    #expect(message.samples == [.pressure(PressureSample(time: SensorInstant(nanoseconds: -1), pressure: 101_325))])
  }

  @Test(arguments: ["", "i", "im", "imu", "imu1", "imu12", "imu_link", "gehäuse"], [CDRByteOrder.little, .big])
  func everyMessageReadsBackWhateverTheFramesLength(frame: String, order: CDRByteOrder) throws {
    for message in Self.messages(frame: frame) {
      let bytes = message.encoded(order: order)
      #expect(try ROS2Message(message.type, decoding: bytes[...]) == message)
      // DDS pads a payload to a multiple of four; that is no part of the message.
      #expect(try ROS2Message(message.type, decoding: (bytes + [0, 0, 0])[...]) == message)
    }
  }

  @Test func everyTruncationIsRefusedWithASentence() {
    for message in Self.messages(frame: "imu") {
      let bytes = message.encoded()
      for length in 0..<bytes.count {
        let error = #expect(throws: SensorError.self) { try ROS2Message(message.type, decoding: bytes[..<length]) }
        #expect(error?.message.hasSuffix(".") == true)
      }
    }
  }

  @Test func declaredLengthsAreNotBelieved() {
    func decode(_ change: (inout [UInt8]) -> Void) throws -> ROS2Message {
      var bytes = Self.imu.encoded()
      change(&bytes)
      return try ROS2Message(.imu, decoding: bytes[...])
    }
    // 4 GB, more than a name may have, more than is left, not closed by zero, no UTF-8.
    #expect(throws: SensorError.self) { try decode { $0.replaceSubrange(12..<16, with: [255, 255, 255, 255]) } }
    #expect { try decode { $0.replaceSubrange(12..<16, with: [1, 4, 0, 0]) } } throws: {
      ($0 as? SensorError)?.code == .limitExceeded
    }
    #expect(throws: SensorError.self) { try decode { $0.replaceSubrange(12..<16, with: [0x40, 1, 0, 0]) } }
    #expect(throws: SensorError.self) { try decode { $0[19] = 1 } }
    #expect(throws: SensorError.self) { try decode { $0[16] = 0xFF } }
    // Parameter lists, XCDR 2, and a message that is longer than its type.
    #expect { try decode { $0[1] = 3 } } throws: { ($0 as? SensorError)?.code == .unsupported }
    #expect { try decode { $0[0] = 1 } } throws: { ($0 as? SensorError)?.code == .unsupported }
    #expect(throws: SensorError.self) { try decode { $0 += [UInt8](repeating: 0, count: 8) } }
  }

  @Test func randomBytesAreReadOrRefused() {
    var random = SeededRandom(seed: 9)
    for _ in 0..<10_000 {
      var bytes = (0..<Int.random(in: 0..<400, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      if bytes.count >= 20, Bool.random(using: &random) {
        bytes.replaceSubrange(0..<16, with: [0, 1] + [UInt8](repeating: 0, count: 14))
      }
      for type in ROS2MessageType.allCases {
        guard let message = try? ROS2Message(type, decoding: bytes[...]) else { continue }
        for case .magnetometer(let sample) in message.samples { #expect(sample.magneticField.isFinite) }
      }
    }
  }

  @Test func minusOneInACovarianceTakesItsQuantityAway() throws {
    let none = ROS2Message.imu(Self.header, attitude: nil, angularVelocity: nil, specificForce: nil)
    #expect(none.samples.isEmpty && none.attitude == nil)
    #expect([4, 16, 28].map { none.numbers[$0] } == [-1, -1, -1])
    let rate = ROS2Message.imu(Self.header, attitude: .identity, angularVelocity: .zero, specificForce: nil)
    #expect(rate.samples == [.gyroscope(GyroscopeSample(time: Self.header.stamp.instant, angularVelocity: .zero))])
    // All zero is "not known", and the numbers count.
    #expect(rate.attitude == .identity && rate.numbers[4..<13].allSatisfy { $0 == 0 })
    #expect(Self.imu.samples.map(\.kinds) == [.accelerometer, .gyroscope])
    var field = ROS2Message.magneticField(Self.header, Vector3(x: 1e-5, y: 0, z: 0))
    #expect(field.samples.count == 1)
    field.numbers[3] = -1
    #expect(field.samples.isEmpty)
  }

  @Test func aNumberThatIsNoneIsMissing() {
    var imu = Self.imu
    imu.numbers[26] = .nan
    #expect(imu.samples.map(\.kinds) == [.gyroscope])
    imu.numbers[13] = .infinity
    #expect(imu.samples.isEmpty)
    #expect(ROS2Message.temperature(Self.header, .nan).samples.isEmpty)
  }

  @Test func fusedMotionFromAnImuPointsNorthWhereItsSenderDoes() throws {
    // Face up, top edge to the north: the identity in ROS (x east, y north), and x north in Core Motion's frame.
    let imu = ROS2Message.imu(
      Self.header, attitude: .identity, angularVelocity: .zero,
      specificForce: Vector3(x: 0, y: 1, z: standardGravity))
    let motion = try #require(imu.motion(reference: .xMagneticNorth))
    let attitude = try #require(motion.attitude)
    let top = attitude * Vector3<Device>(x: 0, y: 1, z: 0)
    #expect(top.isApproximatelyEqual(to: Vector3(x: 1, y: 0, z: 0), tolerance: 1e-15))
    #expect(motion.gravity.isApproximatelyEqual(to: Vector3(x: 0, y: 0, z: standardGravity), tolerance: 1e-15))
    #expect(motion.linearAcceleration.isApproximatelyEqual(to: Vector3(x: 0, y: 1, z: 0), tolerance: 1e-15))
    #expect(Self.imu.motion() == nil)
  }

  @Test func timesBeyond32BitsOfSecondsAreNoTimes() {
    #expect(ROS2Time(SensorInstant(nanoseconds: 1_700_000_000_123_456_789))?.nanoseconds == 123_456_789)
    #expect(ROS2Time(SensorInstant(nanoseconds: -1)) == ROS2Time(seconds: -1, nanoseconds: 999_999_999))
    #expect(ROS2Time(SensorInstant(nanoseconds: 2_147_483_648_000_000_000)) == nil)
    #expect(ROS2Time(SensorInstant(nanoseconds: .min)) == nil)
  }

  @Test func typesAreFoundUnderBothNames() {
    #expect(ROS2MessageType(schemaName: "sensor_msgs/msg/Imu") == .imu)
    #expect(ROS2MessageType(schemaName: "sensor_msgs/MagneticField") == .magneticField)
    #expect(ROS2MessageType(schemaName: "sensor_msgs/msg/Image") == nil)
    #expect(ROS2MessageType.imu.schema.split(separator: String(repeating: "=", count: 80) + "\n").count == 5)
  }

  static func messages(frame: String) -> [ROS2Message] {
    let header = ROS2Header(stamp: ROS2Time(seconds: 7, nanoseconds: 8), frameID: frame)
    let imu = ROS2Message.imu(
      header, attitude: Rotation(aboutZ: 0.3), angularVelocity: Vector3(x: 1, y: 2, z: 3),
      specificForce: Vector3(x: 4, y: 5, z: 6))
    var field = ROS2Message.magneticField(header, Vector3(x: 1e-6, y: 2e-6, z: -3e-6))
    field.numbers.replaceSubrange(3..<12, with: [1, 2, 3, 4, 5, 6, 7, 8, 9])
    var pressure = ROS2Message.fluidPressure(header, 101_325)
    pressure.numbers[1] = 4
    return [imu, field, pressure, .temperature(header, -3.5)]
  }
}

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

  @Test func theSchemaOfATransformIsJSONAndNamesItsType() throws {
    let schema = Data(FoxgloveViews.schema.utf8)
    let object = try #require(try JSONSerialization.jsonObject(with: schema) as? [String: Any])
    #expect(object["title"] as? String == FoxgloveViews.typeName)
    #expect((object["properties"] as? [String: Any])?["timestamp"] != nil)
  }
}
