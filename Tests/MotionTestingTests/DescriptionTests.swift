// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionTesting
import Testing

/// Every data class can be made by the kit, and its description prints its values by name.
@Suite struct DescriptionTests {
  private static let date = Date(timeIntervalSince1970: 1_790_000_000)

  /// An object of each class, and what its description holds: names and numbers.
  private static func made() -> [(object: NSObject, holds: [String])] {
    let rate = CMRotationRate(x: 0.25, y: -0.5, z: 1.5)
    let acceleration = CMAcceleration(x: 0.125, y: -0.25, z: -1)
    let motion = CMDeviceMotion(attitude: CMAttitude(rollDegrees: 0, pitchDegrees: 30, yawDegrees: 0), timestamp: 2.5)
    let recorded = CMRecordedAccelerometerData(acceleration: acceleration, identifier: 77, startDate: date)
    return [
      (CMLogItem(at: 1.25), ["timestamp: 1.25"]),
      (CMAccelerometerData(acceleration: acceleration), ["acceleration: (x: 0.125, y: -0.25, z: -1.0)"]),
      (CMGyroData(rotationRate: rate, timestamp: 3.5), ["timestamp: 3.5", "rotationRate: (x: 0.25, y: -0.5, z: 1.5)"]),
      (CMMagnetometerData(magneticField: CMMagneticField(x: 20, y: 0, z: -40)), ["magneticField: (x: 20.0"]),
      (motion, ["attitude: CMAttitude Pitch: 30.0", "gravity: (x: ", "userAcceleration", "heading: -1.0", "2.5"]),
      (motion.attitude, ["CMAttitude Pitch: 30.000000, Roll: 0.000000"]),
      (CMRotationRateData(rotationRate: rate), ["CMRotationRateData(", "rotationRate: (x: 0.25"]),
      (CMRecordedRotationRateData(rotationRate: rate, startDate: date), ["rotationRate", "startDate: 2026-"]),
      (recorded, ["CMRecordedAccelerometerData(", "identifier: 77", "startDate: 2026-"]),
      (CMRecordedDeviceMotion(motion: motion, identifier: 5, startDate: date), ["identifier: 5", "gravity"]),
      (
        CMPedometerData(numberOfSteps: 12, from: date, to: date + 60, distance: 9.5),
        ["numberOfSteps: 12", "distance: 9.5", "floorsAscended: nil", "startDate: 2026-", "endDate: 2026-"]
      ),
      (CMPedometerEvent(type: .pause, date: date), ["type: pause", "date: 2026-"]),
      (CMMotionActivity(walking: true, startDate: date), ["walking: true", "confidence: high", "running: false"]),
      (CMAltitudeData(relativeAltitude: 2.5, at: 1), ["relativeAltitude: 2.5", "pressure: 101.325"]),
      (
        CMAbsoluteAltitudeData(altitude: 500, accuracy: 3, precision: 0.5, at: 1), ["altitude: 500.0", "accuracy: 3.0"]
      ),
      (CMAmbientPressureData(pressure: 99.5, temperature: 21, at: 1), ["pressure: 99.5", "temperature: 21.0"]),
      (CMRecordedPressureData(pressure: 99.5, temperature: 21, startDate: date), ["pressure: 99.5", "identifier: 1"]),
      (CMWaterSubmersionEvent(state: .submerged, at: date), ["state: submerged", "date: 2026-"]),
      (
        CMWaterSubmersionMeasurement(depth: 3.5, pressure: 136, submersionState: .submergedDeep, at: date),
        ["depth: 3.5", "surfacePressure: 101.325", "submersionState: submergedDeep"]
      ),
      (CMWaterTemperature(temperature: 18.5, uncertainty: 0.5, at: date), ["temperature: 18.5", "Uncertainty: 0.5"]),
      (
        CMOdometerData(from: date, to: date + 1, deltaDistance: 1.5, speed: 1.5, slope: 4),
        ["deltaDistance: 1.5", "speedAccuracy: -1.0", "slope: 4.0", "maxAbsSlope: nil"]
      ),
      (CMHighFrequencyHeartRateData(heartRate: 72, date: nil), ["heartRate: 72.0", "confidence: high", "date: nil"]),
      (CMTremorResult(minuteFrom: date, none: 0.5, mild: 0.25), ["percentNone: 0.5", "percentUnknown: 0.25"]),
      (CMDyskineticSymptomResult(minuteFrom: date, likely: 0.25), ["percentLikely: 0.25", "percentUnlikely: 0.75"]),
      (CMFallDetectionEvent(resolution: .dismissed, at: date), ["resolution: dismissed", "date: 2026-"]),
    ]
  }

  @Test(arguments: 0..<25) func aDescriptionPrintsItsValuesByName(_ number: Int) {
    let (object, holds) = Self.made()[number]
    for text in ["\(type(of: object))"] + holds {
      #expect(object.description.contains(text), "\(object.description)")
      #expect(object.debugDescription.contains(text) && "\(object)".contains(text))
    }
  }

  @Test func theKitMakesEveryClass() {
    #expect(Self.made().count == 25)
    let list = CMSensorDataList(samples: [CMRecordedAccelerometerData(acceleration: .init(), startDate: Self.date)])
    for _ in 0..<2 {
      var samples = NSFastEnumerationIterator(list)
      #expect(samples.next() is CMRecordedAccelerometerData && samples.next() == nil)
    }
  }

  /// What a client's subclass overrides is what is printed.
  @Test func aSubclassPrintsWhatItSays() {
    final class Fast: CMGyroData {
      override var rotationRate: CMRotationRate { CMRotationRate(x: 9, y: 9, z: 9) }
    }
    #expect(Fast().description == "Fast(timestamp: 0.0, rotationRate: (x: 9.0, y: 9.0, z: 9.0))")
  }
}
