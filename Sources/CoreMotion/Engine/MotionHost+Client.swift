// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import LinuxSources
import MotionHost
import MotionSensing
import MotionServices
import SimulatedSources

/// Where a manager gets its samples: the host of the scope that calls, else of the scope in which the manager was made.
struct ManagerHost: Sendable {
  /// The sources of every computer, by name: where `libCoreMotion.a` is linked by hand, a linker takes from it only the
  /// files that something refers to, and these register themselves.
  private static let sources: [SourceScheme] = [.iio, .evdev, .simulate]

  private let atCreation: MotionHost

  init() {
    _ = Self.sources
    atCreation = .current
  }

  var current: MotionHost { MotionHost.scoped ?? atCreation }
}

/// What the host's policy and state mean to a client, in Core Motion's words.
extension MotionHost {
  /// What a manager's authorisation status says.
  var clientAuthorization: CMAuthorizationStatus {
    CMAuthorizationStatus(rawValue: policy.effectiveAuthorization.rawValue) ?? .notDetermined
  }

  /// The device's hub when it can serve a stream now.
  func device(serving stream: HubStream) -> MotionHub? {
    guard let hub = device else {
      if let absence = absences.device { report(absence) }
      return nil
    }
    return stream.isServed(by: hub.availableKinds) ? hub : nil
  }

  /// Why a start of a stream can never deliver (D43); `isHead` = from headphones.
  func refusal(of stream: HubStream, isHead: Bool = false) -> NSError {
    if let problem = isHead ? headphonesProblem : sourceProblem { return problem.clientError }
    guard let hub = isHead ? headphones : device else {
      let absence = isHead ? absences.headphones : absences.device
      return CMErrorNotAvailable.error(absence ?? "This device has no \(isHead ? "headphones" : "sensors").")
    }
    if let failure = hub.failure { return failure.clientError }
    let missing = stream.needs(of: hub.info.kinds).subtracting(hub.info.kinds).names.joined(separator: " and no ")
    return CMErrorNotAvailable.error("The \(hub.info.name) has no \(missing), which this service needs.")
  }

  /// What a handler receives whose source ended before it had a sample for it; the log says it, too.
  func endWithoutSamples(of source: String) -> NSError {
    let sentence =
      "The \(source) was over before this service received a sample. A recording begins again for each new start, unless its address says resume=yes; a simulation ends with its duration."
    report(sentence)
    return CMErrorNotAvailable.error(sentence)
  }

  /// Why a question about steps or activities cannot be answered (S51, S53). The policy comes first: without permission
  /// the answer does not say what is available.
  func activityRefusal(_ what: String) -> NSError {
    guard policy.allowsMotion else {
      return CMErrorMotionActivityNotAuthorized.error("This program is not authorised to read \(what).")
    }
    return CMErrorMotionActivityNotAvailable.error("There is no source of \(what) on this device.")
  }
}

extension SensorError {
  /// What a handler receives (D19, S48): a sensor that left is not available, a refused one is not authorised.
  var clientError: NSError {
    (code == .notPermitted ? CMErrorNotAuthorized : CMErrorNotAvailable).error(description)
  }
}
