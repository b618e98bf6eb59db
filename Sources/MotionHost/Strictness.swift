// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing
import MotionServices

/// What `MOTION_STRICT=1` does: a source that cannot be opened, fails, ends early or drops samples ends the process.
///
/// A test that waits for no sample is green without any; in CI a missing or damaged recording has to be red.
package struct Strictness: Sendable {
  /// Receives one sentence. By default it is logged, and the process ends with status 1.
  let fail: @Sendable (String) -> Void

  init(fail: @escaping @Sendable (String) -> Void = Self.endProcess) { self.fail = fail }

  private static func endProcess(_ sentence: String) {
    HostLog.error("\(sentence) The program ends because MOTION_STRICT is set.")
    exit(EXIT_FAILURE)
  }

  /// What a hub reports of a source.
  func watch(_ source: any SensorSource) -> @Sendable (MotionHub.Incident) -> Void {
    let data = ((source as? CalibratedSource)?.base ?? source) as? any DataChecking
    let name = source.info.name
    return { incident in
      switch incident {
      case .dropped(let sample):
        fail(
          "The \(name) has dropped a sample of the \(sample.kinds.names.joined(separator: " and ")) at \(sample.time.seconds) s: it was late, a duplicate or not finite."
        )
      case .over(let error?): fail("The \(name) has failed: \(error)")
      case .over(nil): if let problem = data?.dataProblem { fail("The \(name) \(problem)") }
      }
    }
  }
}
