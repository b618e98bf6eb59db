// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

enum SensorProblem: Error {
  case calibration
  case north
  case denied
  case other(Error)

  init(_ error: Error) {
    let error = error as NSError
    guard error.domain == CMErrorDomain else {
      self = .other(error)
      return
    }
    switch error.code {
    case Int(CMErrorDeviceRequiresMovement.rawValue): self = .calibration
    case Int(CMErrorTrueNorthNotAvailable.rawValue): self = .north
    case Int(CMErrorMotionActivityNotAuthorized.rawValue), Int(CMErrorNotAuthorized.rawValue): self = .denied
    default: self = .other(error)
    }
  }
}

func isTransient(_ error: Error?) -> Bool {
  guard let code = (error as NSError?)?.code else { return false }
  let transient: [CMError] = [CMErrorDeviceRequiresMovement, CMErrorTrueNorthNotAvailable, CMErrorNilData]
  return transient.contains { Int($0.rawValue) == code }
}

@MainActor
func errorShapes(_ runner: Runner) {
  runner.check("errors compared through NSError") {
    let error: Error = NSError(domain: CMErrorDomain, code: Int(CMErrorDeviceRequiresMovement.rawValue), userInfo: nil)
    guard case .calibration = SensorProblem(error) else { return false }
    return isTransient(error) && !isTransient(nil) && error._code == 101
  }
  runner.check("CMError by value") {
    let code = CMError(rawValue: 111)
    let known: Set<CMError> = [CMErrorNotAuthorized, CMErrorUnknown]
    return known.contains(code) && code == CMErrorNotAuthorized && code != CMErrorNULL && CMError(103) == CMErrorUnknown
      && CMErrorSize.rawValue == 113
  }
  runner.check("a pattern over the code") {
    let error = NSError(domain: CMErrorDomain, code: 104) as Error
    if let motionError = error as NSError?, motionError.domain == CMErrorDomain,
      motionError.code == Int(CMErrorMotionActivityNotAvailable.rawValue)
    {
      return true
    }
    return false
  }
}
