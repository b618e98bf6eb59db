// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@_spi(MotionTools) import CoreMotion
import MotionHost
import MotionMath
import MotionSensing
import MotionServices

/// The device motion that is computed while a source is recorded, written beside it.
final class MotionCompanion {
  private let subscription: Subscription

  /// Throws when the source has nothing from which motion could be computed in the wanted frame.
  static func check(_ command: RecordCommand, _ selection: SourceSelection) throws {
    let info = selection.info
    guard !info.kinds.contains(.fusedMotion) else {
      throw CommandFailure("\(info.name) computes its motion itself, and that is recorded: leave --with motion out.")
    }
    try MotionRequirements.check(command.frame, of: selection, on: selection.host(location: command.location))
  }

  init(_ command: RecordCommand, _ recording: SourceRecording) {
    let (host, hub) = (recording.host, recording.hub)
    let rows = DeviceMotionRows(frame: command.frame.value, host: host)
    let reference = command.frame.recordedReference
    subscription = hub.subscribe(rows.stream, interval: SensorDuration(seconds: command.rate.interval) ?? .zero) {
      event, _ in
      guard case .motion(let motion) = event, let row = rows.row(for: event) else { return }
      recording.add(.fusedMotion(row.recorded(at: motion.time, in: reference)))
    }
  }

  func stop() { subscription.cancel() }
}

extension ReferenceFrame {
  fileprivate var recordedReference: FusedMotionSample.Reference {
    switch value {
    case .xArbitraryCorrectedZVertical: .xArbitraryCorrected
    case .xMagneticNorthZVertical: .xMagneticNorth
    case .xTrueNorthZVertical: .xTrueNorth
    default: .xArbitrary
    }
  }
}

extension DeviceMotionRow {
  /// The same numbers as a sample that a recording holds, in Core Motion's units and signs.
  fileprivate func recorded(at time: SensorInstant, in reference: FusedMotionSample.Reference) -> FusedMotionSample {
    func vector(_ value: CMAcceleration) -> Vector3<Device> { Vector3(x: value.x, y: value.y, z: value.z) }
    let field = FusedMotionSample.CalibratedField(
      reading: Vector3(x: magneticField.field.x, y: magneticField.field.y, z: magneticField.field.z), unit: 1e-6,
      accuracy: Int8(clamping: magneticField.accuracy.rawValue))
    let location: FusedMotionSample.Location =
      switch sensorLocation {
      case .headphoneLeft: .headphoneLeft
      case .headphoneRight: .headphoneRight
      default: .device
      }
    return FusedMotionSample(
      time: time, w: attitude.w, vector: Vector3(x: attitude.x, y: attitude.y, z: attitude.z), reference: reference,
      angularVelocity: Vector3(x: rotationRate.x, y: rotationRate.y, z: rotationRate.z), gravity: vector(gravity),
      linearAcceleration: vector(userAcceleration), accelerationUnit: -standardGravity, field: field,
      headingDegrees: heading, headingAccuracyDegrees: headingAccuracy, location: location)
  }
}
