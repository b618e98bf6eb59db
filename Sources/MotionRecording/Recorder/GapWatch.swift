// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Notices that a sensor has paused, while its samples are being recorded, so that the recording says it.
///
/// The rule is that of a running time line: a pause is longer than two and a half periods, the period follows the sensor, and a
/// lasting change of rate is one pause. What a loss or an absence explains already is no pause of the sensor.
struct GapWatch: Sendable {
  private struct Sensor: Sendable {
    let kinds: SensorKinds
    var last: SensorInstant
    /// Smoothed, ns; 0 = not known.
    var period: Int64 = 0
  }

  private var sensors: [Sensor] = []

  /// The pause that ends with a sample; nil = none.
  mutating func update(_ sample: SensorSample) -> RecordingEvent? {
    let (kinds, time) = (sample.kinds, sample.time)
    guard let index = sensors.firstIndex(where: { $0.kinds == kinds }) else {
      sensors.append(Sensor(kinds: kinds, last: time))
      return nil
    }
    let last = sensors[index].last
    let step = (time - last).nanoseconds
    guard step > 0 else { return nil }
    sensors[index].last = time
    let period = sensors[index].period
    if period == 0 {
      sensors[index].period = step
    } else if step > period * 5 / 2 {
      sensors[index].period = min(step, period * 2)
      let lost = Int(clamping: (step + period / 2) / period - 1)
      return .gap(
        last, service: kinds.names.joined(separator: " and "), duration: SensorDuration(nanoseconds: step), lost: lost)
    } else {
      sensors[index].period += (step - period) / 16
    }
    return nil
  }

  /// Everything was away, and the recording says so already: the next samples begin anew.
  mutating func reset() { sensors.removeAll(keepingCapacity: true) }
}
