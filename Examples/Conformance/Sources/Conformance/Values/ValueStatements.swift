// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// What needs no sensor: structs, enumerations, empty objects.
enum ValueStatements {
  static let all: [Statement] = [
    Statement("API-2", .values, "The structs have a zero init and a memberwise one.") {
      let one = CMAcceleration(x: 1, y: 2, z: 3)
      return [
        .equal("CMAcceleration()", [CMAcceleration().x, CMAcceleration().y, CMAcceleration().z], [0, 0, 0]),
        .equal("CMRotationRate()", [CMRotationRate().x, CMRotationRate().y, CMRotationRate().z], [0, 0, 0]),
        .equal("CMAcceleration(x: 1, y: 2, z: 3)", [one.x, one.y, one.z], [1, 2, 3]),
      ]
    },
    Statement("G14", .values, "CMQuaternion() and CMRotationMatrix() are all zeros.") {
      let quaternion = CMQuaternion()
      return [
        .equal("quaternion", [quaternion.x, quaternion.y, quaternion.z, quaternion.w], [0, 0, 0, 0]),
        .equal("matrix", CMRotationMatrix().rows, Array(repeating: 0, count: 9)),
      ]
    },
    Statement("API-4", .values, "The enumerations have these raw values.") {
      var findings: [Finding] = [
        .equal(
          "reference frames",
          [
            CMAttitudeReferenceFrame.xArbitraryZVertical, .xArbitraryCorrectedZVertical, .xMagneticNorthZVertical,
            .xTrueNorthZVertical,
          ].map(\.rawValue), [1, 2, 4, 8]),
        .equal(
          "calibration", [CMMagneticFieldCalibrationAccuracy.uncalibrated, .low, .medium, .high].map(\.rawValue),
          [-1, 0, 1, 2]),
        .equal(
          "authorisation", [CMAuthorizationStatus.notDetermined, .restricted, .denied, .authorized].map(\.rawValue),
          [0, 1, 2, 3]),
        .equal("unknown calibration", CMMagneticFieldCalibrationAccuracy(rawValue: 7) == nil, unknownIsNil),
        .equal(
          "location of the sensor",
          [CMDeviceMotion.SensorLocation.default, .headphoneLeft, .headphoneRight].map(\.rawValue), [0, 1, 2]),
      ]
      #if !os(macOS)
      findings += [
        .equal("confidence", [CMMotionActivityConfidence.low, .medium, .high].map(\.rawValue), [0, 1, 2]),
        .equal("pedometer events", [CMPedometerEventType.pause, .resume].map(\.rawValue), [0, 1]),
        .equal(
          "submersion", [CMWaterSubmersionEvent.State.unknown, .notSubmerged, .submerged].map(\.rawValue), [0, 1, 2]),
        .equal(
          "depth",
          [
            CMWaterSubmersionMeasurement.DepthState.unknown, .notSubmerged, .submergedShallow, .submergedDeep,
            .approachingMaxDepth, .pastMaxDepth, .sensorDepthError,
          ].map(\.rawValue), [0, 100, 200, 300, 400, 500, 600]),
      ]
      #endif
      return findings
    },
    Statement("API-5", .values, "CMError is a struct, neither an enumeration nor an Error.") {
      let error: Any = CMErrorUnknown
      return [
        .holds("a struct", Mirror(reflecting: error).displayStyle == .struct),
        .equal("an Error", error is any Error, false),
      ]
    },
    Statement("G26", .values, "Empty samples can be made, and never trap.") {
      #if os(Linux)
      let motion = CMDeviceMotion()
      return [
        .equal("time", motion.timestamp, 0), .equal("heading is finite", motion.heading.isFinite, true),
        .equal("roll is finite", motion.attitude.roll.isFinite, true),
        .equal("steps", CMPedometerData().numberOfSteps.intValue, 0),
        .equal("altitude", CMAltitudeData().relativeAltitude.doubleValue, 0),
      ]
      #else
      throw Obstacle("It may trap here, and end the run.")
      #endif
    },
    Statement("D16", .values, "A delegate without a single method is accepted.") {
      final class Nobody: NSObject, CMHeadphoneMotionManagerDelegate {}
      let nobody = Nobody()
      let manager = CMHeadphoneMotionManager()
      manager.delegate = nobody
      return [.holds("the delegate is kept", manager.delegate === nobody)]
    },
  ]

  /// An enumeration that was imported from C takes any raw value on Apple's systems.
  private static var unknownIsNil: Bool {
    #if os(Linux)
    true
    #else
    false
    #endif
  }
}
