// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import OrientationFusion

// What one run hands over to the next.
extension DeviceMotionEstimator {
  /// What this and earlier runs have found out about the device, to be kept for the next one; nil before the first attitude.
  public var learned: LearnedDevice? {
    let usesMagnetometer = computesNineAxis
    let filter = usesMagnetometer ? nineAxis : sixAxis
    guard !solutions.isEmpty, filter.attitude != nil else { return nil }
    let start = Self.filter(parameters, usesMagnetometer: usesMagnetometer, knowledge).learned
    var sensor = filter.learned.credited(since: start)
    if !usesMagnetometer, let knowledge, knowledge.isPlausible {
      // Nobody looked at the delay: what was known of it goes on.
      sensor.magnetometerDelay = knowledge.magnetometerDelay
      sensor[12, 12] = knowledge[12, 12]
    }
    guard sensor.isPlausible else { return nil }
    let calibration = calibrator.state.isCalibrated ? .none : calibrator.calibrationToKeep
    return LearnedDevice(sensor: sensor, magnetometer: calibration.accuracy == .uncalibrated ? nil : calibration)
  }

  /// A filter that begins with what is known of the sensors, or with nothing when that cannot be.
  static func filter(
    _ parameters: OrientationFilter.Parameters, usesMagnetometer: Bool, _ learned: LearnedSensor?
  ) -> OrientationFilter {
    let informed = learned.flatMap {
      OrientationFilter(parameters: parameters, usesMagnetometer: usesMagnetometer, learned: $0)
    }
    return informed ?? OrientationFilter(parameters: parameters, usesMagnetometer: usesMagnetometer)
  }
}
