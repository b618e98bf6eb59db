// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

/// What the managers of steps and activities share.
extension MotionHost {
  /// Seconds: what is asked of the source. Footsteps are below 5 Hz and their impacts below 20 Hz.
  static let activityInterval = 0.02

  /// Whether a source serves the stream of steps and activities: it measures acceleration.
  static var hasActivity: Bool { current.device(serving: .activity) != nil }

  /// The device's hub where steps and activities may be had now, else why not.
  func activityHub(_ what: String) -> Result<MotionHub, NSError> {
    let hub = device(serving: .activity)
    if hub != nil { requestAuthorization() }
    guard policy.allowsMotion, let hub else { return .failure(activityRefusal(what)) }
    return .success(hub)
  }

  /// Steps of the past; a history that cannot be read is reported once and counts as empty in a running count.
  func pastSteps(from start: Date, to end: Date) -> StepTotals {
    do { return try history.steps(from: start, to: end, isExact: true) } catch {
      report(error.description)
      return StepTotals()
    }
  }

  /// Answers a question about the past, later, on `queue`: `ask` runs there, too, because it reads the store. A range
  /// that ends before it begins is an error, as is a history that cannot be read.
  func answer<Value>(
    _ what: String, from start: Date, to end: Date, on queue: OperationQueue,
    asking ask: @escaping (HostHistory) throws -> Value, handler: @escaping (Value?, NSError?) -> Void
  ) {
    let refusal: NSError? =
      switch activityHub(what) {
      case .failure(let refusal): refusal
      case .success where start > end: CMErrorInvalidParameter.error("The range of dates ends before it begins.")
      case .success: nil
      }
    queue.answer(in: self) {
      if let refusal { return handler(nil, refusal) }
      do { handler(try ask(self.history), nil) } catch let error as SensorError {
        handler(nil, error.clientError)
      } catch {
        handler(nil, error as NSError)
      }
    }
  }
}
