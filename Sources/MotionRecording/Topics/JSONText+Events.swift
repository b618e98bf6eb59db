// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The bodies of messages of events and truth.
extension JSONText {
  /// Writes the event and tells its topic.
  mutating func append(_ event: RecordingEvent) -> Topic.Kind {
    appendTime(nanoseconds: event.time)
    let kind: Topic.Kind
    switch event {
    case .connection(_, let device, let isConnected):
      kind = .connection
      append(",\"device\":")
      append(quoting: device)
      append(",\"connected\":")
      append(isConnected)
    case .availability(_, let service, let isAvailable, let authorization):
      kind = .availability
      append(",\"service\":")
      append(quoting: service)
      append(",\"available\":")
      append(isAvailable)
      append(",\"authorization\":")
      append(authorization)
    case .error(_, let service, let domain, let code, let message):
      kind = .error
      append(",\"service\":")
      append(quoting: service)
      append(",\"domain\":")
      append(quoting: domain)
      append(",\"code\":")
      append(code)
      append(",\"message\":")
      append(quoting: message)
    case .gap(_, let service, let duration, let lost):
      kind = .gap
      append(",\"service\":")
      append(quoting: service)
      append(",\"duration_ns\":")
      append(duration.nanoseconds)
      if let lost {
        append(",\"lost\":")
        append(lost)
      }
    case .annotation(_, let note):
      kind = .annotation
      append(",\"text\":")
      append(quoting: note)
    }
    append("}")
    return kind
  }

  /// Foxglove's pose in a frame, its time on the Unix time line where `wallOffset` is known.
  mutating func append(_ pose: TruthPose, wallOffset: SensorDuration) {
    let time = max(0, (pose.time + wallOffset).nanoseconds)
    append("{\"timestamp\":{\"sec\":")
    append(time / 1_000_000_000)
    append(",\"nsec\":")
    append(time % 1_000_000_000)
    append("},\"frame_id\":")
    append(quoting: pose.frame)
    append(",\"pose\":{\"position\":{\"x\":")
    append(pose.position.x)
    append(",\"y\":")
    append(pose.position.y)
    append(",\"z\":")
    append(pose.position.z)
    append("},\"orientation\":{\"x\":")
    append(pose.orientation.x)
    append(",\"y\":")
    append(pose.orientation.y)
    append(",\"z\":")
    append(pose.orientation.z)
    append(",\"w\":")
    append(pose.orientation.w)
    append("}}}")
  }
}
