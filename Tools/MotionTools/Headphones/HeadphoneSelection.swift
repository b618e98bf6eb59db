// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import HeadphoneSources
package import MotionHost
package import MotionSensing

/// The headphones that a command works on, opened; nothing runs yet.
package struct HeadphoneSelection {
  package let selection: SourceSelection

  /// The headphones of an address or recording; nil = `MOTION_HEADPHONES`, else those of this computer.
  package static func open(_ text: String?) throws -> HeadphoneSelection {
    let environment = ProcessInfo.processInfo.environment["MOTION_HEADPHONES"] ?? ""
    guard let text = try text ?? (environment.isEmpty ? found() : environment) else {
      throw CommandFailure(
        "No headphones: name some, such as airpods:, headtracker:, simulate:headphones or the path of a recording, or set MOTION_HEADPHONES. "
          + "“motionctl headphones” says what this computer has, and what is missing."
      )
    }
    let selection = try SourceSelection.open(text)
    let kinds = selection.info.kinds
    guard kinds.contains(.motion) || kinds.isSuperset(of: .inertial) else {
      throw CommandFailure("“\(text)” has no motion to follow.")
    }
    return HeadphoneSelection(selection: selection)
  }

  /// The address of headphones that this computer may have; nil = none. Whether they are connected shows when they are
  /// run.
  private static func found() throws -> String? {
    try HostEnvironment(ProcessInfo.processInfo.environment).headphones()?.uri.description
  }

  package var source: any SensorSource { (selection.entry.source as? CalibratedSource)?.base ?? selection.entry.source }
  /// What the headphones say of themselves; nil for recordings and simulations.
  package var status: HeadphoneStatus? { (source as? any HeadphoneReporting)?.status }

  package func host() -> MotionHost {
    let entry = selection.entry
    return MotionHost(headphones: entry.source, clock: entry.clock, rate: entry.rate, gate: entry.gate)
  }
}

extension MotionRow.Location {
  /// "left bud"; nil where there are no sides.
  package var words: String? {
    switch self {
    case .device: nil
    case .headphoneLeft: "left bud"
    case .headphoneRight: "right bud"
    }
  }
}
