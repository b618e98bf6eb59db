// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// Which part of a recording each sensor covers: the gaps alone, without the distributions of ``RecordingQuality``.
package struct RecordingCoverage: Sendable, Hashable {
  private var meters: [StreamQuality] = []
  /// Of each meter; nil for samples, which come from one topic each.
  private var topics: [Topic?] = []

  /// Nothing seen yet.
  package init() {}

  /// Takes the next sample.
  package mutating func update(_ sample: SensorSample) {
    switch sample {
    case .inertial(let sample):
      update(.accelerometer, at: sample.accelerometer.time)
      update(.gyroscope, at: sample.gyroscope.time)
    default: update(sample.kinds, at: sample.time)
    }
  }

  /// Takes the time of the next sample of one kind.
  package mutating func update(_ kind: SensorKinds, of topic: Topic? = nil, at time: SensorInstant) {
    _ = meters[place(kind, topic)].update(time)
  }

  /// The place of a kind's meter; a new one where there is none.
  private mutating func place(_ kind: SensorKinds, _ topic: Topic?) -> Int {
    let place = meters.indices.first { meters[$0].kind == kind && topics[$0] == topic } ?? meters.count
    if place == meters.count {
      meters.append(StreamQuality(kind: kind))
      topics.append(topic)
    }
    return place
  }

  /// Takes the time of the next message of a topic; those of the only device that hold samples count.
  package mutating func update(_ topic: Topic, at time: SensorInstant) {
    guard topic.device.isEmpty, let kind = TopicSelection.sensor(of: topic.kind) else { return }
    update(kind, of: topic, at: time)
  }

  /// What is known of each sensor that misses a part, or of which times are repeated or misplaced.
  package var incomplete: [StreamQuality] {
    meters.closed.filter { $0.gaps + $0.clockJumps + $0.repeats + $0.outOfOrder > 0 }
  }
}
