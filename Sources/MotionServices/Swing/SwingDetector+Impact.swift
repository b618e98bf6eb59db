// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

extension SwingDetector {
  /// Follows the accelerometer and puts the impacts that are over on the list of those to be judged.
  mutating func follow(_ time: SensorInstant, _ force: Vector3<Device>) {
    if let last = state.accelerometerTime, time - last > coefficients.longestStep {
      // What was before a gap must not look like a shock after it.
      closeImpact()
      state.filter = nil
      state.recent.removeAll(keepingCapacity: true)
    }
    var filter = state.filter ?? Filter(origin: force)
    let shock = filter.pass(force, coefficients).length
    state.filter = filter

    let length = force.length
    state.recent.append(Magnitude(time: time, value: length))
    while let first = state.recent.first, time - first.time > parameters.peakBefore { state.recent.removeFirst() }

    if let open = state.open, time - open.crossing > parameters.peakAfter { closeImpact() }
    if var open = state.open {
      open.shock = max(shock, open.shock)
      if length > open.peak { (open.time, open.peak) = (time, length) }
      state.open = open
    } else if shock > parameters.threshold, !isRinging(at: time) {
      state.lastCrossing = time
      var impact = Impact(crossing: time, time: time, peak: length, shock: shock)
      for earlier in state.recent where earlier.value > impact.peak {
        (impact.time, impact.peak) = (earlier.time, earlier.value)
      }
      state.open = impact
    }
  }

  /// The peak has been found: nothing larger comes.
  mutating func closeImpact() {
    guard let open = state.open else { return }
    state.open = nil
    state.waiting.append(open)
  }

  private func isRinging(at time: SensorInstant) -> Bool {
    state.lastCrossing.map { time - $0 < parameters.refractory } ?? false
  }
}
