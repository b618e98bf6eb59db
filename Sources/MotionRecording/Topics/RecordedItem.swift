// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// One thing that a recording holds, and when the recorder received it.
///
/// `receivedAt` is on the recording's clock, like the samples' own times; nil where nobody knows it (an imported file). The
/// difference of the two is the delay of the sensor, the bus and the driver.
public enum RecordedItem: Sendable, Hashable {
  case sample(SensorSample, receivedAt: SensorInstant? = nil)
  case event(RecordingEvent, receivedAt: SensorInstant? = nil)
  case truth(TruthPose, receivedAt: SensorInstant? = nil)

  /// When it was measured or happened.
  public var time: SensorInstant {
    switch self {
    case .sample(let sample, _): sample.time
    case .event(let event, _): event.time
    case .truth(let pose, _): pose.time
    }
  }

  /// When the recorder received it; nil = not known.
  public var receivedAt: SensorInstant? {
    switch self {
    case .sample(_, let instant), .event(_, let instant), .truth(_, let instant): instant
    }
  }
}

/// Where a device really was, from a simulator or motion capture.
public struct TruthPose: Sendable, Hashable {
  /// When.
  public var time: SensorInstant
  /// The name of the frame that the pose is in: "east_north_up".
  public var frame: String
  /// Metres in that frame: x, y, z.
  public var position: (x: Double, y: Double, z: Double)
  /// Unit quaternion, device → frame.
  public var orientation: (w: Double, x: Double, y: Double, z: Double)

  /// A pose; leave out the position where only the attitude is known.
  public init(
    time: SensorInstant, frame: String, position: (x: Double, y: Double, z: Double) = (0, 0, 0),
    orientation: (w: Double, x: Double, y: Double, z: Double)
  ) {
    self.time = time
    self.frame = frame
    self.position = position
    self.orientation = orientation
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.time == b.time && a.frame == b.frame && a.position == b.position && a.orientation == b.orientation
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(time)
    hasher.combine(frame)
    for number in [position.x, position.y, position.z, orientation.w, orientation.x, orientation.y, orientation.z] {
      hasher.combine(number)
    }
  }
}
