// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost

/// What the host's policy and state mean to a client, in Core Motion's words.
extension MotionHost {
  /// What a manager's authorisation status says.
  var clientAuthorization: CMAuthorizationStatus {
    CMAuthorizationStatus(rawValue: policy.effectiveAuthorization.rawValue) ?? .notDetermined
  }

  /// Why a question about steps or activities cannot be answered (S51, S53). The policy comes first: who may not ask is not
  /// told what there is.
  func activityRefusal(_ what: String) -> NSError {
    guard policy.allowsMotion else {
      return CMErrorMotionActivityNotAuthorized.error("This program is not authorised to read \(what).")
    }
    return CMErrorMotionActivityNotAvailable.error("There is no source of \(what) on this device.")
  }
}
