// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionTesting
import Testing

/// Samples made by hand obey the laws that delivered ones obey.
@Suite struct MadeSampleTests {
  private static let angles: [(roll: Double, pitch: Double, yaw: Double)] = [
    (0, 0, 0), (30, 0, 0), (0, 40, 0), (0, 0, 50), (-120, 70, 170), (10, -80, -95),
  ]

  @Test(arguments: 0..<6) func anAttitudeHasTheAnglesItWasMadeFromS13(_ number: Int) {
    let (roll, pitch, yaw) = Self.angles[number]
    let attitude = CMAttitude(rollDegrees: roll, pitchDegrees: pitch, yawDegrees: yaw)
    #expect(abs(attitude.roll * 180 / .pi - roll) < 1e-9)
    #expect(abs(attitude.pitch * 180 / .pi - pitch) < 1e-9)
    #expect(abs(attitude.yaw * 180 / .pi - yaw) < 1e-9)
  }

  @Test(arguments: 0..<6) func anAttitudeGoesThroughItsMatrixAndItsQuaternionUnchangedS11S12(_ number: Int) throws {
    let (roll, pitch, yaw) = Self.angles[number]
    let attitude = CMAttitude(rollDegrees: roll, pitchDegrees: pitch, yawDegrees: yaw)
    #expect(try #require(CMAttitude(rotationMatrix: attitude.rotationMatrix)).degrees(to: attitude) < 1e-6)
    #expect(try #require(CMAttitude(quaternion: attitude.quaternion)).degrees(to: attitude) < 1e-6)
  }

  @Test func numbersThatAreNoRotationMakeNoAttitude() {
    #expect(CMAttitude(quaternion: CMQuaternion()) == nil)
    #expect(CMAttitude(quaternion: CMQuaternion(x: .nan, y: 0, z: 0, w: 1)) == nil)
    #expect(CMAttitude(rotationMatrix: CMRotationMatrix()) == nil)
  }

  @Test func gravityFollowsFromTheAttitudeS14() {
    let flat = CMDeviceMotion(attitude: CMAttitude())
    #expect((flat.gravity.x, flat.gravity.y, flat.gravity.z) == (0, 0, -1))
    let upright = CMDeviceMotion(attitude: CMAttitude(rollDegrees: 0, pitchDegrees: 90, yawDegrees: 20))
    #expect(abs(upright.gravity.y + 1) < 1e-12)
    let onRightEdge = CMDeviceMotion(attitude: CMAttitude(rollDegrees: 90, pitchDegrees: 0, yawDegrees: 0))
    #expect(abs(onRightEdge.gravity.x - 1) < 1e-12)
  }

  @Test func theHeadingFollowsFromTheAttitudeInNorthFramesOnlyD1() {
    let west = CMAttitude(rollDegrees: 0, pitchDegrees: 0, yawDegrees: 0)
    // In the north frames x points north, so a device whose axes coincide has its top edge to the west.
    #expect(CMDeviceMotion(attitude: west, referenceFrame: .xMagneticNorthZVertical).heading == 270)
    #expect(CMDeviceMotion(attitude: west).heading == -1)
    #expect(CMDeviceMotion(attitude: west, heading: 12).heading == 12)
  }

  @Test func aMadeSampleIsIndependentOfTheAttitudeItWasMadeFrom() {
    let attitude = CMAttitude(rollDegrees: 10, pitchDegrees: 0, yawDegrees: 0)
    let motion = CMDeviceMotion(attitude: attitude, timestamp: 3)
    attitude.multiply(byInverseOf: attitude)
    #expect(abs(motion.attitude.roll * 180 / .pi - 10) < 1e-9)
    #expect(motion.timestamp == 3)
    #expect(motion.magneticField.accuracy == .uncalibrated)
  }

  @Test func theOtherSamplesKeepWhatTheyWereGiven() {
    let (start, end) = (Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 60))
    let force = CMAccelerometerData(acceleration: CMAcceleration(x: 0, y: 0, z: -1), timestamp: 1)
    #expect((force.acceleration.z, force.timestamp) == (-1, 1))
    #expect(CMGyroData(rotationRate: CMRotationRate(x: 2, y: 0, z: 0)).rotationRate.x == 2)
    #expect(CMMagnetometerData(magneticField: CMMagneticField(x: 0, y: 3, z: 0)).magneticField.y == 3)
    let steps = CMPedometerData(numberOfSteps: 110, from: start, to: end, distance: 80)
    #expect((steps.numberOfSteps, steps.distance, steps.floorsAscended) == (110, 80, nil))
    #expect(CMPedometerEvent(type: .pause, date: end).date == end)
    let activity = CMMotionActivity(walking: true, startDate: start)
    #expect((activity.walking, activity.running, activity.confidence) == (true, false, .high))
    #expect(CMAltitudeData(relativeAltitude: 2, at: 1).relativeAltitude == 2)
    #expect(CMAbsoluteAltitudeData(altitude: 500, accuracy: 5, precision: 1, at: 1).altitude == 500)
    #expect(CMWaterSubmersionEvent(state: .submerged, at: end).state == .submerged)
    let depth = CMWaterSubmersionMeasurement(
      depth: 5, pressure: 151, submersionState: .submergedDeep, at: end)
    #expect(depth.depth?.value == 5)
    #expect(CMWaterTemperature(temperature: 12, uncertainty: 0.5, at: end).temperature.value == 12)
  }
}
