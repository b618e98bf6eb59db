// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionServices
import MotionTesting
import Testing

/// T54, S76, G32: a list of recorded samples can be enumerated and nothing else.
@Suite struct SensorDataListTests {
  private static func sample(_ index: Int) -> CMRecordedAccelerometerData {
    CMRecordedAccelerometerData(
      timestamp: Double(index), acceleration: CMAcceleration(x: 0, y: 0, z: -1), identifier: UInt64(index / 500),
      startDate: Date(timeIntervalSinceReferenceDate: Double(index)))
  }

  @Test func anEmptyListEndsAtOnce() {
    var iterator = NSFastEnumerationIterator(CMSensorDataList())
    #expect(iterator.next() == nil && iterator.next() == nil)
  }

  /// Elements come in order and as the class of S76, and each pass starts again.
  @Test func everyPassYieldsRecordedSamplesInOrder() {
    let list = CMSensorDataList {
      var index = 0
      return AnyIterator {
        defer { index += 1 }
        return index < 3 ? Self.sample(index) : nil
      }
    }
    for _ in 0..<2 {
      var iterator = NSFastEnumerationIterator(list)
      for index in 0..<3 {
        #expect((iterator.next() as? CMRecordedAccelerometerData)?.timestamp == Double(index))
      }
      #expect(iterator.next() == nil)
    }
  }

  /// Three days at 50 Hz are not built to read the first second.
  @Test func elementsAreMadeWhileTheyAreRead() {
    let made = Box(0)
    let list = CMSensorDataList {
      AnyIterator {
        made.with { $0 += 1 }
        return Self.sample(0)
      }
    }
    var iterator = NSFastEnumerationIterator(list)
    for _ in 0..<50 { _ = iterator.next() }
    #expect(made.value == 50)
  }

  /// Not a sequence in the module itself, or the clients' own conformance would collide.
  @Test func theModuleDoesNotMakeItASequence() {
    let list: Any = CMSensorDataList()
    #expect(!(list is any Sequence))
  }
}

/// The samples of recorder, pedometer, activities and the health services (T31–T34, T39–T49): values, copies, archives.
@Suite struct HistorySampleTests {
  private static let start = Date(timeIntervalSinceReferenceDate: 123_456_789.123)
  private static let end = Date(timeIntervalSinceReferenceDate: 123_456_849.123)

  private func roundTrip<Object: NSObject & NSSecureCoding & NSCopying>(_ object: Object) throws -> Object {
    #expect(Object.supportsSecureCoding)
    #expect(type(of: object.copy()) == type(of: object))
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data))
  }

  /// T31, T32, T34, S75.
  @Test func recordedSamplesKeepTheirBatchAndDate() throws {
    let rate = CMRotationRate(x: 1, y: 2, z: 3)
    let motion = CMDeviceMotion(
      timestamp: 5, attitude: CMAttitude(CMQuaternion(x: 0, y: 0, z: 1, w: 0)), rotationRate: rate,
      gravity: CMAcceleration(x: 0, y: -1, z: 0), heading: 90, headingAccuracy: 4, sensorLocation: .headphoneLeft)
    // The greatest identifier does not fit into a signed number.
    let recorded = try roundTrip(CMRecordedDeviceMotion(motion, identifier: .max, startDate: Self.start))
    #expect(recorded.identifier == .max && recorded.startDate == Self.start && recorded.timestamp == 5)
    #expect(recorded.attitude.quaternion.z == 1 && recorded.heading == 90 && recorded.sensorLocation == .headphoneLeft)

    let acceleration = try roundTrip(
      CMRecordedAccelerometerData(
        timestamp: 6, acceleration: CMAcceleration(x: 0, y: 0, z: -1), identifier: 7, startDate: Self.start))
    #expect(acceleration.identifier == 7 && acceleration.startDate == Self.start)
    #expect(acceleration.acceleration.z == -1 && acceleration.timestamp == 6)

    let turn = try roundTrip(CMRecordedRotationRateData(timestamp: 7, rotationRate: rate, startDate: Self.start))
    #expect(turn.rotationRate.z == 3 && turn.startDate == Self.start && turn.timestamp == 7)
    #expect(try roundTrip(CMRotationRateData(timestamp: 8, vector: rate.vector)).rotationRate.y == 2)
  }

  /// G13: the copy of a recorded motion can be changed without changing the original.
  @Test func aCopyOfRecordedMotionHasAnAttitudeOfItsOwn() throws {
    let attitude = CMAttitude(CMQuaternion(x: 0, y: 0, z: 1, w: 0))
    let motion = CMDeviceMotion(timestamp: 5, attitude: attitude, gravity: CMAcceleration(x: 0, y: 0, z: -1))
    let original = CMRecordedDeviceMotion(motion, identifier: 3, startDate: Self.start)
    let copy = try #require(original.copy() as? CMRecordedDeviceMotion)
    copy.attitude.multiply(byInverseOf: attitude)
    #expect(copy.attitude.quaternion.w == 1 && original.attitude.quaternion.w == 0)
    #expect(copy.identifier == 3 && copy.startDate == Self.start)
  }

  /// T39, S71: the flags are independent, and all false is possible.
  @Test(arguments: 0..<64)
  func activitiesKeepEveryCombinationOfFlags(_ bits: Int) throws {
    let states = MotionActivity(rawValue: UInt8(bits))
    let activity = try roundTrip(
      CMMotionActivity(.init(timestamp: 9, startDate: Self.start, confidence: .high, states: states)))
    #expect(activity.timestamp == 9 && activity.startDate == Self.start && activity.confidence == .high)
    #expect(activity.unknown == states.contains(.unknown) && activity.stationary == states.contains(.stationary))
    #expect(activity.walking == states.contains(.walking) && activity.running == states.contains(.running))
    #expect(activity.automotive == states.contains(.automotive) && activity.cycling == states.contains(.cycling))
  }

  /// T41, S67: what is unknown is nil, and stays nil in an archive.
  @Test func pedometerDataKeepWhatIsKnownAndWhatIsNot() throws {
    var values = CMPedometerData.Values(startDate: Self.start, endDate: Self.end, numberOfSteps: 100)
    let bare = try roundTrip(CMPedometerData(values))
    #expect(bare.startDate == Self.start && bare.endDate == Self.end && bare.numberOfSteps == 100)
    let unknown = [
      bare.distance, bare.floorsAscended, bare.floorsDescended, bare.currentPace, bare.currentCadence,
      bare.averageActivePace,
    ]
    #expect(unknown.allSatisfy { $0 == nil })
    values.distance = 71.5
    values.floorsAscended = 2
    values.floorsDescended = 0
    values.currentPace = 0.75
    values.currentCadence = 1.9
    values.averageActivePace = 0.8
    let full = try roundTrip(CMPedometerData(values))
    #expect(full.distance == 71.5 && full.floorsAscended == 2 && full.floorsDescended == 0)
    #expect(full.currentPace == 0.75 && full.currentCadence == 1.9 && full.averageActivePace == 0.8)
  }

  /// T42, T46, S68: an event is a pause or a resumption with its date.
  @Test func eventsAndHeartRatesKeepEverything() throws {
    let event = try roundTrip(CMPedometerEvent(date: Self.start, type: .resume))
    #expect(event.date == Self.start && event.type == .resume)
    let rate = try roundTrip(
      CMHighFrequencyHeartRateData(timestamp: 1, heartRate: 61.5, confidence: .highest, date: Self.start))
    #expect(rate.timestamp == 1 && rate.heartRate == 61.5 && rate.confidence == .highest && rate.date == Self.start)
    let undated = CMHighFrequencyHeartRateData(timestamp: 1, heartRate: 60, confidence: .low, date: nil)
    #expect(try roundTrip(undated).date == nil)
  }

  /// T44.
  @Test func odometerDataKeepEverything() throws {
    var values = CMOdometerData.Values(startDate: Self.start, endDate: Self.end, gpsDate: Self.end)
    let bare = try roundTrip(CMOdometerData(values))
    #expect(bare.slope == nil && bare.maxAbsSlope == nil && bare.originDevice == .unknown)
    #expect(bare.deltaDistanceAccuracy < 0 && bare.speedAccuracy < 0 && bare.verticalAccuracy < 0)
    (values.deltaDistance, values.deltaDistanceAccuracy) = (10, 1)
    (values.speed, values.speedAccuracy) = (2, 0.5)
    (values.deltaAltitude, values.verticalAccuracy) = (-3, 4)
    (values.slopeDegrees, values.steepestSlopeDegrees) = (-5, 6)
    values.originDevice = .remote
    let data = try roundTrip(CMOdometerData(values))
    #expect(data.startDate == Self.start && data.endDate == Self.end && data.gpsDate == Self.end)
    #expect(data.deltaDistance == 10 && data.deltaDistanceAccuracy == 1 && data.speed == 2)
    #expect(data.speedAccuracy == 0.5 && data.deltaAltitude == -3 && data.verticalAccuracy == 4)
    #expect(data.slope == -5 && data.maxAbsSlope == 6 && data.originDevice == .remote)
  }

  /// T48, T49.
  @Test func minutesOfSymptomsKeepTheirFractions() throws {
    let tremor = try roundTrip(
      CMTremorResult(
        startDate: Self.start, endDate: Self.end,
        fractions: .init(unknown: 0.5, none: 0.25, slight: 0.125, mild: 0.0625, moderate: 0.03125, strong: 0.03125)))
    let parts = [
      tremor.percentUnknown, tremor.percentNone, tremor.percentSlight, tremor.percentMild, tremor.percentModerate,
      tremor.percentStrong,
    ]
    #expect(parts == [0.5, 0.25, 0.125, 0.0625, 0.03125, 0.03125])
    #expect(tremor.startDate == Self.start && tremor.endDate == Self.end)
    let dyskinesia = try roundTrip(
      CMDyskineticSymptomResult(startDate: Self.start, endDate: Self.end, unlikely: 0.75, likely: 0.25))
    #expect(dyskinesia.percentUnlikely == 0.75 && dyskinesia.percentLikely == 0.25)
    #expect(dyskinesia.startDate == Self.start && dyskinesia.endDate == Self.end)
  }

  /// An archive without a date, or with one that is no point in time, is refused; one that holds text for numbers, or
  /// numbers that do not fit, never traps.
  @Test(arguments: ["empty", "huge", "not a number", "text"])
  func hostileArchivesNeverTrap(_ kind: String) {
    let classes: [any (NSObject & NSSecureCoding).Type] = [
      CMRecordedDeviceMotion.self, CMRecordedAccelerometerData.self, CMRecordedRotationRateData.self,
      CMMotionActivity.self, CMPedometerData.self, CMPedometerEvent.self, CMOdometerData.self, CMTremorResult.self,
      CMDyskineticSymptomResult.self,
    ]
    let keys = [
      "startDate", "endDate", "gpsDate", "date", "confidence", "type", "originDevice", "identifier", "numberOfSteps",
    ]
    for type in classes {
      let archiver = NSKeyedArchiver(requiringSecureCoding: true)
      for key in keys {
        switch kind {
        case "huge": archiver.encode(Double.greatestFiniteMagnitude, forKey: key)
        case "not a number": archiver.encode(Double.nan, forKey: key)
        case "text": archiver.encode("soon" as NSString, forKey: key)
        default: break
        }
      }
      archiver.finishEncoding()
      guard let coder = try? NSKeyedUnarchiver(forReadingFrom: archiver.encodedData) else { continue }
      coder.decodingFailurePolicy = .setErrorAndReturn
      let object = type.init(coder: coder)
      if kind == "empty" || kind == "not a number" { #expect(object == nil, "\(type)") }
      // An object that was read can be written.
      if let object { _ = try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true) }
    }
  }

  /// A case that does not exist is refused.
  @Test func unknownCasesAreRefused() throws {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    for key in ["startDate", "endDate", "gpsDate", "date"] { archiver.encode(1.0, forKey: key) }
    for key in ["confidence", "type", "originDevice"] { archiver.encode(99, forKey: key) }
    let data = archiver.encodedData
    let classes: [any (NSObject & NSSecureCoding).Type] = [
      CMMotionActivity.self, CMPedometerEvent.self, CMOdometerData.self, CMHighFrequencyHeartRateData.self,
    ]
    for type in classes {
      #expect(type.init(coder: try NSKeyedUnarchiver(forReadingFrom: data)) == nil, "\(type)")
    }
  }

  /// G26: nothing that `init()` makes traps, whatever is asked.
  @Test func emptySamplesAnswerEveryQuestion() throws {
    #expect(CMMotionActivity().confidence == .low && !CMMotionActivity().unknown)
    #expect(CMPedometerData().numberOfSteps == 0 && CMPedometerData().distance == nil)
    #expect(CMPedometerEvent().type == .pause && CMPedometerEvent().date == CMPedometerData().startDate)
    #expect(CMOdometerData().speed == 0 && CMOdometerData().gpsDate == CMOdometerData().endDate)
    #expect(CMHighFrequencyHeartRateData().heartRate == 0 && CMHighFrequencyHeartRateData().date == nil)
    #expect(CMTremorResult().percentNone == 0 && CMDyskineticSymptomResult().percentLikely == 0)
    #expect(CMRecordedDeviceMotion().identifier == 0 && CMRecordedDeviceMotion().attitude.quaternion.w == 1)
    #expect(CMRecordedAccelerometerData().acceleration.x == 0 && CMRecordedRotationRateData().rotationRate.x == 0)
    let empty: [any NSObject & NSSecureCoding & NSCopying] = [
      CMMotionActivity(), CMPedometerData(), CMPedometerEvent(), CMOdometerData(), CMHighFrequencyHeartRateData(),
      CMTremorResult(), CMDyskineticSymptomResult(), CMRecordedDeviceMotion(), CMRecordedAccelerometerData(),
      CMRotationRateData(), CMRecordedRotationRateData(),
    ]
    for sample in empty {
      let data = try NSKeyedArchiver.archivedData(withRootObject: sample, requiringSecureCoding: true)
      let copy = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [type(of: sample)], from: data)
      #expect(copy is NSObject && type(of: sample.copy()) == type(of: sample))
    }
  }
}
