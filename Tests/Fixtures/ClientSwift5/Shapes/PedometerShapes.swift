// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

final class StepsController {
  let pedometer = CMPedometer()
  let activityManager = CMMotionActivityManager()
  private var shouldStartUpdating = true
  private(set) var messages: [String] = []

  func begin(_ done: @escaping (Error?) -> Void) {
    guard CMPedometer.isStepCountingAvailable() else {
      messages.append("no steps")
      pedometer.queryPedometerData(from: Calendar.current.startOfDay(for: Date()), to: Date()) { data, error in
        if let steps = data?.numberOfSteps.intValue, let metres = data?.distance?.doubleValue {
          print("steps", steps, metres)
        }
        done(error)
      }
      return
    }
    pedometer.startUpdates(from: Date()) { [weak self] pedometerData, error in
      guard let pedometerData = pedometerData, error == nil else { return }
      self?.messages.append(pedometerData.numberOfSteps.stringValue)
      let steps = pedometerData.numberOfSteps.intValue
      DispatchQueue.main.async { print("steps", steps) }
      if let cadence = pedometerData.currentCadence, let pace = pedometerData.currentPace {
        print(cadence.doubleValue * 60, pace)
      }
    }
    if CMPedometer.isPedometerEventTrackingAvailable() {
      pedometer.startEventUpdates { event, error in
        if event?.type == .pause { print("paused", event?.date as Any) }
      }
    }
  }

  func startTrackingActivityType() {
    if CMMotionActivityManager.isActivityAvailable() {
      activityManager.startActivityUpdates(to: OperationQueue.main) { [weak self] (activity: CMMotionActivity?) in
        guard let activity = activity else { return }
        if activity.walking {
          self?.messages.append("walking")
        } else if activity.stationary && activity.automotive {
          self?.messages.append("at a light")
        } else if activity.cycling || activity.running || activity.unknown {
          self?.messages.append("\(activity.confidence.rawValue)")
        }
      }
    }
  }

  func stop() {
    pedometer.stopUpdates()
    pedometer.stopEventUpdates()
    activityManager.stopActivityUpdates()
  }

  deinit { stop() }
}

@MainActor
func pedometerShapes(_ runner: Runner) {
  runner.begin("steps and activities where there are none") { done in
    let controller = StepsController()
    controller.startTrackingActivityType()
    controller.begin { error in
      done((error as NSError?)?.domain == CMErrorDomain && controller.messages == ["no steps"])
    }
    return controller
  }
  runner.begin("an activity query") { done in
    let manager = CMMotionActivityManager()
    let now = Date()
    manager.queryActivityStarting(from: now.addingTimeInterval(-86_400), to: now, to: .main) { activities, error in
      if let error = error as NSError?, error.code == Int(CMErrorMotionActivityNotAvailable.rawValue) {
        done(activities == nil)
      } else {
        done(false)
      }
    }
    return manager
  }
  runner.check("authorisation before a start") {
    switch CMMotionActivityManager.authorizationStatus() {
    case .authorized, .notDetermined: return CMPedometer.authorizationStatus() == .authorized
    case .denied, .restricted: return false
    @unknown default: return false
    }
  }
}
