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
      return
    }
    pedometer.queryPedometerData(from: Calendar.current.startOfDay(for: Date()), to: Date()) {
      [weak self] data, error in
      if let steps = data?.numberOfSteps.intValue, let metres = data?.distance?.doubleValue {
        self?.messages.append("steps \(steps), \(metres) m")
      }
      done(error)
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

/// Steps of today and of yesterday, as a widget shows them.
final class StepsToday {
  private let pedometer = CMPedometer()
  private let calendar = Calendar.current

  func begin(_ handler: @escaping @Sendable (CMPedometerData) -> Void) {
    let midnight = calendar.startOfDay(for: Date())
    pedometer.startUpdates(from: midnight) { data, error in
      guard error == nil, let data = data else { return }
      handler(data)
    }
  }

  func yesterday(_ handler: @escaping @Sendable (Int?) -> Void) {
    let today = calendar.startOfDay(for: Date())
    guard let yesterday = calendar.date(byAdding: .day, value: -1, to: today) else { return }
    pedometer.queryPedometerData(from: yesterday, to: today) { data, error in
      handler(error == nil ? data?.numberOfSteps.intValue : nil)
    }
  }
}

/// Activities on a queue in the background.
final class ActivityLog {
  private let manager = CMMotionActivityManager()
  private let queue = OperationQueue()

  func begin(_ handler: @escaping @Sendable (CMMotionActivity) -> Void) {
    queue.maxConcurrentOperationCount = 1
    manager.startActivityUpdates(to: queue) { activity in
      guard let activity = activity else { return }
      handler(activity)
    }
  }

  func lastDay(_ handler: @escaping @Sendable ([CMMotionActivity]?, NSError?) -> Void) {
    let now = Date()
    manager.queryActivityStarting(from: now.addingTimeInterval(-86_400), to: now, to: queue) { activities, error in
      handler(activities, error as NSError?)
    }
  }
}

@MainActor
func pedometerShapes(_ runner: Runner) {
  runner.begin("steps and activities of a phone in a hand") { done in
    let controller = StepsController()
    controller.startTrackingActivityType()
    controller.begin { error in
      done(error == nil && controller.messages.first == "steps 0, 0.0 m")
    }
    return controller
  }
  runner.begin("steps since midnight") { done in
    let steps = StepsToday()
    let midnight = Calendar.current.startOfDay(for: Date())
    steps.begin { data in done(data.numberOfSteps == 0 && data.startDate == midnight && data.endDate > midnight) }
    return steps
  }
  runner.begin("steps of yesterday") { done in
    let steps = StepsToday()
    steps.yesterday { count in done(count == 0) }
    return steps
  }
  runner.begin("the present activity") { done in
    let log = ActivityLog()
    log.begin { activity in done(activity.startDate <= Date() && !activity.walking) }
    return log
  }
  runner.begin("the activities of a day") { done in
    let log = ActivityLog()
    log.lastDay { activities, error in
      done(error.map { $0.code == Int(CMErrorUnknown.rawValue) } ?? (activities?.isEmpty == false))
    }
    return log
  }
  runner.check("authorisation before a start") {
    switch CMMotionActivityManager.authorizationStatus() {
    case .authorized, .notDetermined: return CMPedometer.authorizationStatus() == .authorized
    case .denied, .restricted: return false
    @unknown default: return false
    }
  }
}
