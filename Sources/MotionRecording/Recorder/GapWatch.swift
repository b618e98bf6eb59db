// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Notices that a sensor has paused, while its samples are being recorded, so that the recording says it.
///
/// What a pause is, ``SamplePeriod`` says. What a loss or an absence explains already is no pause of the sensor.
struct GapWatch: Sendable {
  private struct Sensor: Sendable {
    let kinds: SensorKinds
    var last: SensorInstant
    var period = SamplePeriod()
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
    guard time > last else { return nil }
    let step = time - last
    sensors[index].last = time
    let missing = sensors[index].period.samplesMissing(in: step)
    guard sensors[index].period.update(step) else { return nil }
    return .gap(last, service: kinds.names.joined(separator: " and "), duration: step, lost: missing)
  }

  /// Everything was away, and the recording says so already: the next samples begin anew.
  mutating func reset() { sensors.removeAll(keepingCapacity: true) }
}
