// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// Connections of headphones, and their activity.
enum HeadphoneStatusStatements {
  static let all: [Statement] = [
    Statement(
      "S57", .headphones, "Taking headphones off counts as disconnecting, putting them on as connecting.",
      request: "Wear the headphones. Take them off now, and put them on again after a few seconds."
    ) {
      let manager = CMHeadphoneMotionManager()
      try need(manager.isDeviceMotionAvailable, "This device has no motion of headphones.")
      let listener = HeadphoneListener(nil)
      manager.delegate = listener
      manager.startDeviceMotionUpdates()
      let heard = await listener.events.wait(for: 3, seconds: 20 * Settings.current.patience)
      manager.stopDeviceMotionUpdates()
      try need(heard.count >= 2, "The headphones were not taken off and put on.")
      return [.equal("events", Array(heard.map(\.connected).suffix(2)), [false, true])]
    },
    Statement("S59", .headphones, "Status reports connected at once, then changes only.") {
      let manager = CMHeadphoneActivityManager()
      try need(manager.isStatusAvailable, "This device does not tell the status of headphones.")
      let heard = Collector<Delivery<Int>>()
      manager.startStatusUpdates(to: serialQueue()) { heard.add($0.rawValue, $1) }
      await pause(1.5)
      manager.stopStatusUpdates()
      let statuses: [Int] = heard.values()
      try need(!statuses.isEmpty, "No compatible headphones are connected.")
      return [.equal("first status", statuses[0], 1)]
        + [.equal("repeated", zip(statuses, statuses.dropFirst()).count { $0 == $1 }, 0)]
    },
    Statement("D32", .headphones, "A start of status that can never deliver gives one error.") {
      let manager = CMHeadphoneActivityManager()
      try need(!manager.isStatusAvailable, "This device tells the status of headphones.")
      let errors = Collector<Int>()
      manager.startStatusUpdates(to: serialQueue()) { _, error in
        if let error { errors.add(Failure(error).code) }
      }
      await pause(1)
      manager.stopStatusUpdates()
      return [.equal("codes of the errors", errors.all, [109])]
    },
    Statement("D25", .headphones, "A head is never driving or cycling.") {
      let manager = CMHeadphoneActivityManager()
      try need(manager.isActivityAvailable, "There is no activity of headphones.")
      let heard = Collector<[Bool]>()
      manager.startActivityUpdates(to: serialQueue()) { activity, _ in
        if let activity { heard.add([activity.automotive || activity.cycling, activity.confidence == .high]) }
      }
      let activities = await heard.wait(for: 2, seconds: 10 * Settings.current.patience)
      manager.stopActivityUpdates()
      try need(!activities.isEmpty, "The headphones told no activity.")
      return [
        .equal("driving or cycling", activities.count { $0[0] }, 0),
        .equal("of high confidence", activities.count { $0[1] }, 0),
      ]
    },
  ]
}
