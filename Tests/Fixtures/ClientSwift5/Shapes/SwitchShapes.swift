// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion

func text(_ status: CMAuthorizationStatus) -> String {
  switch status {
  case .notDetermined: return "not determined"
  case .restricted: return "restricted"
  case .denied: return "denied"
  case .authorized: return "authorized"
  @unknown default: return "unknown"
  }
}

func text(_ confidence: CMMotionActivityConfidence) -> String {
  switch confidence {
  case .low: return "low"
  case .medium: return "medium"
  case .high: return "high"
  @unknown default: return "unknown"
  }
}

func text(_ accuracy: CMMagneticFieldCalibrationAccuracy) -> String {
  switch accuracy {
  case .uncalibrated: return "uncalibrated"
  case .low: return "low"
  case .medium: return "medium"
  case .high: return "high"
  @unknown default: return "unknown"
  }
}

func text(_ location: CMDeviceMotion.SensorLocation) -> String {
  switch location {
  case .default: return "device"
  case .headphoneLeft, .headphoneRight: return "headphones"
  @unknown default: return "unknown"
  }
}

func text(_ type: CMPedometerEventType) -> String {
  switch type {
  case .pause: return "pause"
  case .resume: return "resume"
  @unknown default: return "unknown"
  }
}

func text(_ origin: CMOdometerOriginDevice) -> String {
  switch origin {
  case .unknown: return "unknown"
  case .local: return "local"
  case .remote: return "remote"
  @unknown default: return "?"
  }
}

func text(_ confidence: CMHighFrequencyHeartRateDataConfidence) -> String {
  switch confidence {
  case .low, .medium: return "low"
  case .high, .highest: return "high"
  @unknown default: return "unknown"
  }
}

func text(_ resolution: CMFallDetectionEvent.UserResolution) -> String {
  switch resolution {
  case .confirmed: return "confirmed"
  case .dismissed: return "dismissed"
  case .rejected: return "rejected"
  case .unresponsive: return "unresponsive"
  @unknown default: return "unknown"
  }
}

/// A plain default, with cases left out.
func isAllowed(_ status: CMAuthorizationStatus) -> Bool {
  switch status {
  case .authorized, .notDetermined: return true
  default: return false
  }
}

/// All cases and a plain default behind them, as written before `@unknown default`: no warning here, as on a phone.
func mayRead(_ status: CMAuthorizationStatus) -> Bool {
  switch status {
  case .notDetermined, .authorized: return true
  case .restricted, .denied: return false
  default: return false
  }
}

extension CMAuthorizationStatus {
  var label: String { text(self) }
}

extension CMMotionActivityConfidence: @retroactive CustomStringConvertible {
  public var description: String { text(self) }
}

@MainActor
func switchShapes(_ runner: Runner) {
  runner.check("switches with @unknown default") {
    text(.highest) == "high" && text(CMAuthorizationStatus.denied) == "denied" && text(.pause) == "pause"
      && text(CMMotionActivityConfidence.high) == "high" && text(.remote) == "remote" && text(.rejected) == "rejected"
      && text(CMMagneticFieldCalibrationAccuracy.uncalibrated) == "uncalibrated" && text(.default) == "device"
  }
  runner.check("extensions of enumerations") {
    CMAuthorizationStatus.denied.label == "denied" && "\(CMMotionActivityConfidence.low)" == "low"
      && isAllowed(CMMotionManager.authorizationStatus) && mayRead(.notDetermined)
      && CMAuthorizationStatus(rawValue: 3) == .authorized
  }
}
