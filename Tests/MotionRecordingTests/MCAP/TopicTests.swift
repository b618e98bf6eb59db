// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import MotionRecording

/// The messages of our own topics: their words, and the way back to the same bits (Documentation/Formats.md 6.1).
@Suite struct TopicTests {
  @Test func aVectorSampleHasTheBytesOfTheSpecification() throws {
    let sample = AccelerometerSample(
      time: SensorInstant(nanoseconds: 1_138_457_699_994_250),
      specificForce: Vector3(x: -0.0778, y: 2.8796963, z: 9.34))
    let message = try #require(encode(.accelerometer(sample)).first)
    #expect(message.topic.name == "/sensor/accelerometer")
    #expect(
      String(decoding: message.body, as: UTF8.self)
        == #"{"timestamp_ns":1138457699994250,"x":-0.0778,"y":2.8796963,"z":9.34}"#)
  }

  @Test func theSchemaNamesTheTypeAndWhatIsRequired() {
    #expect(
      Topic(.pressure).schema
        == #"{"title":"opencoremotion.Pressure","type":"object","required":["timestamp_ns","pressure"],"properties":{"timestamp_ns":{"type":"integer","description":"nanoseconds on the recording's monotonic clock"},"pressure":{"type":"number","description":"absolute, pascal"},"temperature":{"type":"number","description":"degrees Celsius"}}}"#
    )
    for kind in Topic.Kind.allCases { #expect(!kind.fields.isEmpty, "\(kind)") }
  }

  @Test func namesLeadToTopicsAndBack() {
    for kind in Topic.Kind.allCases {
      #expect(Topic(name: kind.rawValue) == Topic(kind))
      #expect(Topic(name: "/left_wrist\(kind.rawValue)") == Topic(kind, device: "left_wrist"))
    }
    for wrong in [
      "", "/", "/imu", "sensor/gyroscope", "/Left/sensor/gyroscope", "//sensor/gyroscope", "/a/b/sensor/gyroscope",
    ] {
      #expect(Topic(name: wrong) == nil, "\(wrong)")
    }
  }

  @Test func numbersThatCameInCoreMotionsUnitsKeepEveryBit() throws {
    var random = SeededRandom(seed: 3)
    var encoder = TopicEncoder(RecordingDescription(info: .test))
    var decoder = TopicDecoder()
    for round in 0..<500 {
      for sample in Self.samples(round: round, &random) {
        let messages = encoder.messages(for: .sample(sample, receivedAt: sample.time))
        let message = try #require(messages.first)
        let item = try decode(message, &decoder)
        #expect(item == .sample(sample, receivedAt: sample.time), "\(String(decoding: message.body, as: UTF8.self))")
      }
    }
  }

  @Test func theFamilyFollowsTheUnit() {
    let time = SensorInstant(nanoseconds: 5)
    let up = Vector3<Device>(x: 0, y: 0, z: -1)
    func topics(_ samples: [SensorSample]) -> [String] {
      var encoder = TopicEncoder(RecordingDescription(info: .test))
      return samples.flatMap { encoder.messages(for: .sample($0)).map(\.topic.name) }
    }
    let gravities = AccelerometerSample(time: time, reading: up, unit: .reversedGravity)
    let rate = GyroscopeSample(time: time, angularVelocity: up)
    #expect(topics([.accelerometer(gravities), .gyroscope(rate)]) == ["/motion/accelerometer", "/motion/gyro"])
    let inertial = InertialSample(time: time, angularVelocity: up, specificForce: up)
    #expect(topics([.inertial(inertial)]) == ["/sensor/accelerometer", "/sensor/gyroscope"])
    // A unit of neither family becomes SI.
    #expect(
      topics([
        .accelerometer(AccelerometerSample(time: time, reading: up, unit: .reversedRoundedMetresPerSecondSquared))
      ]) == ["/sensor/accelerometer"])
    #expect(topics([.pressure(PressureSample(time: time, pressure: 1, medium: .water))]) == ["/sensor/water_pressure"])
  }

  @Test func timesTooFineForADoubleComeFromTheFilesInteger() throws {
    let time = SensorInstant(nanoseconds: 1_726_485_800_043_123_457)
    let sample = SensorSample.accelerometer(
      AccelerometerSample(time: time, reading: Vector3(x: 0, y: 0, z: -1), unit: .reversedGravity))
    let message = try #require(encode(sample).first)
    var decoder = TopicDecoder()
    #expect(try decode(message, &decoder)?.time == time)
    // A time that contradicts the message is not believed.
    var other = message
    other.time = SensorInstant(nanoseconds: 1_726_485_801_043_123_457)
    #expect(try decode(other, &decoder)?.time != other.time)
  }

  @Test func eventsComeBack() throws {
    let time = SensorInstant(nanoseconds: 12_345_678_901)
    let items: [RecordedItem] = [
      .event(RecordingEvent(ConnectionState(isConnected: false, location: .headphoneLeft), at: time)),
      .event(.error(time, service: "s", domain: "CMErrorDomain", code: -7, message: "a \"word\"\n\u{1F600}\u{1}")),
      .event(.gap(time, service: "gyroscope", duration: .milliseconds(30), lost: 3)),
      .event(.gap(time, service: "gyroscope", duration: .milliseconds(30), lost: nil)),
      .event(.error(time, service: "s", domain: "", code: 0, message: "ä\\")),
    ]
    var encoder = TopicEncoder(RecordingDescription(info: .test))
    var decoder = TopicDecoder()
    for item in items { #expect(try decode(encoder.messages(for: item)[0], &decoder) == item) }
  }

  @Test(arguments: [4_000_000_000_000_000_000, -4_000_000_000_000_000_000, -1, 7] as [Int64])
  func whatAGapClaimsToHaveLostCanBeAddedUp(claim: Int64) throws {
    var decoder = TopicDecoder()
    let text = #"{"timestamp_ns":1,"service":"recorder","duration_ns":1000,"lost":\#(claim)}"#
    for _ in 0..<2 {
      guard case .event(.gap(_, _, _, let lost), _) = try decode(.gap, text, &decoder) else {
        Issue.record("no gap")
        return
      }
      #expect(lost == min(max(0, Int(claim)), 1 << 40))
    }
  }

  @Test(arguments: [
    "", "{", "[]", "null", #"{"timestamp_ns":1,"x":1,"y":2}"#, #"{"timestamp_ns":1.5,"x":1,"y":2,"z":3}"#,
    #"{"timestamp_ns":99999999999999999999,"x":1,"y":2,"z":3}"#, #"{"timestamp_ns":1,"x":1e999,"y":2,"z":3}"#,
    #"{"timestamp_ns":1,"x":null,"y":2,"z":3}"#, #"{"timestamp_ns":1,"x":"1","y":2,"z":3}"#,
    #"{"timestamp_ns":1,"x":1,"y":2,"z":3}x"#, #"{"timestamp_ns":1,"x":nan,"y":2,"z":3}"#,
    #"{"timestamp_ns":1,"x":1,"y":2,"z":3,"#,
  ])
  func wrongMessagesAreRefusedInASentence(_ text: String) {
    var decoder = TopicDecoder()
    let error = #expect(throws: SensorError.self) { try decode(.accelerometer, text, &decoder) }
    #expect(error?.message.hasSuffix(".") == true)
    // And the decoder goes on.
    #expect(throws: Never.self) { try decode(.accelerometer, #"{"timestamp_ns":1,"x":1,"y":2,"z":3}"#, &decoder) }
  }

  @Test func unknownKeysAndAnyOrderAreReadAndDepthIsCapped() throws {
    var decoder = TopicDecoder()
    let text = #" { "z" : 3 , "new" : [ {"a":[true,false,null,"\u00e9"]} ] , "y":2,"x":1e0,"timestamp_ns":7 } "#
    let item = try decode(.accelerometer, text, &decoder)
    #expect(item?.time.nanoseconds == 7)
    let nested = { (depth: Int) in
      #"{"timestamp_ns":1,"x":1,"y":2,"z":3,"n":"# + String(repeating: "[", count: depth)
        + String(repeating: "]", count: depth) + "}"
    }
    #expect(throws: Never.self) { try decode(.accelerometer, nested(63), &decoder) }
    #expect(throws: SensorError.self) { try decode(.accelerometer, nested(65), &decoder) }
    #expect(throws: SensorError.self) { try decode(.accelerometer, nested(100_000), &decoder) }
  }

  @Test func motionWithoutDeviationsIsReadAsBefore() throws {
    var decoder = TopicDecoder()
    let text =
      #"{"timestamp":1.5,"attitude":{"x":0,"y":0,"z":0,"w":1},"rotationRate":{"x":0,"y":0,"z":0},"gravity":{"x":0,"y":0,"z":-1},"#
      + #""userAcceleration":{"x":0,"y":0,"z":0},"sensorLocation":0,"attitudeReferenceFrame":4}"#
    guard case .sample(.motion(let motion), _)? = try decode(.deviceMotion, text, &decoder) else {
      Issue.record("no motion")
      return
    }
    #expect(motion.reference == .xMagneticNorth)
    #expect(motion.inclinationDeviation == nil && motion.headingDeviation == nil)
  }

  @Test func addressesAreNoPartOfARecording() {
    var description = RecordingDescription(info: .test)
    description.info.identity = "SERIAL-123"
    description.source = "airpods:AA:BB:CC:dd:ee:0f"
    description.device = "left"
    #expect(description.publicSource == "airpods:xx:xx:xx:xx:xx:xx")
    #expect(!description.metadata.contains { $0.1.contains("SERIAL") || $0.1.contains("BB") })
    description.source = "iio:imu0"
    #expect(description.publicSource == "iio:imu0")
  }

  private func encode(_ sample: SensorSample) -> [TopicMessage] {
    var encoder = TopicEncoder(RecordingDescription(info: .test))
    return encoder.messages(for: .sample(sample))
  }

  private func decode(_ message: TopicMessage, _ decoder: inout TopicDecoder) throws -> RecordedItem? {
    try decoder.decode(
      message.topic.kind, message.body[...], time: message.time, receivedAt: message.receivedAt,
      at: .init(file: "test"))
  }

  @discardableResult
  private func decode(_ kind: Topic.Kind, _ text: String, _ decoder: inout TopicDecoder) throws -> RecordedItem? {
    try decoder.decode(kind, Array(text.utf8)[...], at: .init(file: "test"))
  }

  /// One of each kind with numbers of all magnitudes.
  static func samples(round: Int, _ random: inout SeededRandom) -> [SensorSample] {
    let time = SensorInstant(nanoseconds: 1_000_000_000_000 + Int64(round) * 9_999_999)
    func number() -> Double {
      Double(
        sign: .random(in: 0...1, using: &random) == 0 ? .plus : .minus, exponent: .random(in: -40...20, using: &random),
        significand: 1)
        * Double.random(in: 1..<2, using: &random)
    }
    func vector() -> Vector3<Device> { Vector3(x: number(), y: number(), z: number()) }
    let isApple = round & 1 == 0
    return [
      .accelerometer(
        AccelerometerSample(time: time, reading: vector(), unit: isApple ? .reversedGravity : .metresPerSecondSquared)),
      .gyroscope(GyroscopeSample(time: time, angularVelocity: vector())),
      .magnetometer(MagnetometerSample(time: time, reading: vector(), unit: isApple ? .microtesla : .tesla)),
      .pressure(
        PressureSample(
          time: time, pressure: number(), temperature: isApple ? number() : nil, medium: isApple ? .air : .water)),
      .temperature(TemperatureSample(time: time, temperature: -0.0)),
      .motion(
        MotionRow(
          time: time, w: number(), vector: vector(), reference: [.xArbitrary, .xTrueNorth][round & 1],
          angularVelocity: vector(), gravity: vector(), linearAcceleration: vector(),
          accelerationUnit: .reversedGravity,
          field: isApple ? .init(reading: vector(), unit: .microtesla, accuracy: -1) : nil,
          heading: isApple ? nil : AngleReading(359.9, .degree),
          headingAccuracy: isApple ? AngleReading(0.5, .degree) : nil,
          location: isApple ? .device : .headphoneRight,
          inclinationDeviation: isApple ? AngleReading(0.625, .degree) : nil,
          headingDeviation: isApple ? nil : AngleReading(12.3, .degree))),
    ]
  }
}

extension SensorInfo {
  static let test = SensorInfo(
    name: "test", origin: .hardware, pacing: .live, deviceClass: .module,
    channels: [
      .init(kind: .accelerometer, range: 156.9), .init(kind: .gyroscope),
      .init(kind: .magnetometer, isCalibrated: true),
    ])
}
