// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import PhoneFormats
import Testing

@testable import NetworkSources

/// Units and signs of Sensor Logger, told from the numbers or said by the person.
struct PhoneUnitsTests {
  private static func vector(_ sensor: PhoneSensor, _ stamp: Int64, _ v: Vector3<Device>) -> PhoneReading {
    PhoneReading(sensor: sensor, stamp: stamp, values: .vector(v))
  }

  /// Screen up; up is z of the device in any frame.
  private static let level = PhoneReading.Motion(
    w: 1, vector: .zero, angularVelocity: .zero, gravity: .zero, acceleration: .zero, location: 0)

  /// A second of messages, one every 50 ms with these readings, and what comes out.
  private static func samples(
    _ device: PhoneDevice = .phone, _ units: PhoneUnits = PhoneUnits(), _ readings: (Int64) -> [PhoneReading]
  ) -> (samples: [SensorSample], stream: PhoneStream) {
    var stream = PhoneStream(device: device, units: units)
    var samples: [SensorSample] = []
    for number in 0..<20 as Range<Int64> {
      let now = SensorInstant(nanoseconds: number * 50_000_000)
      stream.receive(readings(number * 50_000_000), number: number, at: now)
      while let next = stream.next(at: now) { samples += next }
    }
    return (samples, stream)
  }

  private static func unit(_ samples: [SensorSample]) -> AccelerationUnit? {
    guard case .accelerometer(let sample)? = samples.only(.accelerometer).first else { return nil }
    return sample.unit
  }

  /// Without a raw acceleration: the sum of the two, whose sign the attitude tells.
  @Test(arguments: [(-9.8, AccelerationUnit.reversedMetresPerSecondSquared), (9.8, .metresPerSecondSquared)])
  func gravityAndAccelerationOfOneStampAreTheRawReading(gravity: Double, unit: AccelerationUnit) throws {
    let (samples, stream) = Self.samples { stamp in
      [
        Self.vector(.linearAcceleration, stamp, Vector3(x: 1, y: 2, z: 3)),
        PhoneReading(sensor: .attitude, stamp: stamp, values: .motion(Self.level)),
        Self.vector(.gravity, stamp, Vector3(x: 0, y: 0, z: gravity)),
      ]
    }
    #expect(samples.count == 20 && Self.unit(samples) == unit)
    guard case .accelerometer(let first)? = samples.first else { return }
    #expect(first.reading == Vector3(x: 1, y: 2, z: 3 + gravity))
    #expect(stream.doubt == nil && stream.statistics.unpaired == 0)
  }

  @Test func aHalfWithoutTheOtherIsCounted() {
    let (samples, stream) = Self.samples { stamp in
      [Self.vector(.linearAcceleration, stamp, .zero)]
        + (stamp % 100_000_000 == 0 ? [Self.vector(.gravity, stamp, Vector3(x: 0, y: 0, z: -9.8))] : [])
    }
    #expect(samples.count == 10)
    #expect(stream.statistics.unpaired == 9)
  }

  /// Nothing tells the sign: it is taken as Core Motion's, and said.
  @Test func aSignThatNothingTellsIsSaid() {
    let (samples, stream) = Self.samples { stamp in
      [
        Self.vector(.linearAcceleration, stamp, .zero),
        Self.vector(.gravity, stamp, Vector3(x: 0, y: 0, z: 9.8)),
      ]
    }
    #expect(Self.unit(samples) == .reversedMetresPerSecondSquared)
    #expect(stream.doubt?.contains("Orientation") == true)
  }

  /// What the person says counts, also where the numbers look otherwise, which is said.
  @Test func whatThePersonSaysCountsAndAContradictionIsSaid() {
    let upwards = { (stamp: Int64) in [Self.vector(.accelerometer, stamp, Vector3(x: 0, y: 0, z: 9.8))] }
    let told = Self.samples(readings: upwards)
    #expect(Self.unit(told.samples) == .metresPerSecondSquared && told.stream.doubt == nil)
    let agreed = Self.samples(.phone, PhoneUnits(platform: .ios, isStandardised: true), upwards)
    #expect(Self.unit(agreed.samples) == .metresPerSecondSquared && agreed.stream.doubt == nil)
    let contradicted = Self.samples(.phone, PhoneUnits(platform: .ios, isStandardised: false), upwards)
    #expect(Self.unit(contradicted.samples) == .reversedGravity)
    #expect(contradicted.stream.doubt?.contains("standardised=yes") == true)
  }

  private static func samples(readings: (Int64) -> [PhoneReading]) -> (samples: [SensorSample], stream: PhoneStream) {
    samples(.phone, PhoneUnits(), readings)
  }

  /// A watch: g of Core Motion's sign, or standardised m/s² upwards; the sum is the raw accelerometer.
  @Test(arguments: [(-1.0, AccelerationUnit.reversedGravity), (9.80665, .metresPerSecondSquared)])
  func aWatchGivesItsAccelerometerAndItsGyroscope(gravity: Double, unit: AccelerationUnit) throws {
    let body =
      #"{"messageId":1,"sessionId":"s","deviceId":"d","payload":[{"name":"wrist motion","time":1000,"values":{"rotationRateX":0.1,"rotationRateY":0.2,"rotationRateZ":0.3,"gravityX":0,"gravityY":0,"gravityZ":\#(gravity),"accelerationX":0.5,"accelerationY":0,"accelerationZ":0.25,"quaternionW":1,"quaternionX":0,"quaternionY":0,"quaternionZ":0}}]}"#
    let reading = try #require(try SensorLoggerMessage(Array(body.utf8)).readings.first)
    let (samples, stream) = Self.samples(.watch) { stamp in
      [PhoneReading(sensor: reading.sensor, stamp: stamp, values: reading.values)]
        + [Self.vector(.gyroscope, stamp, .zero)]
    }
    #expect(samples.count == 40 && Self.unit(samples) == unit)
    guard case .accelerometer(let first)? = samples.only(.accelerometer).first,
      case .gyroscope(let rate)? = samples.only(.gyroscope).first
    else {
      Issue.record("no samples")
      return
    }
    #expect(first.reading == Vector3(x: 0.5, y: 0, z: gravity + 0.25))
    #expect(rate.angularVelocity == Vector3(x: 0.1, y: 0.2, z: 0.3))
    // The phone's own gyroscope is another device's.
    #expect(stream.statistics.ignored == 20)
  }
}
