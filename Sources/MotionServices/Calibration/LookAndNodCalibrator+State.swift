// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

extension LookAndNodCalibrator {
  /// What counts as still, as a nod and as a turn.
  public struct Parameters: Sendable, Hashable {
    /// Seconds to look ahead. Default 1.5.
    public var lookTime = 1.5
    /// Seconds to hold the chin. Default 1.
    public var holdTime = 1.0
    /// How far the direction of gravity may lie from its mean in a still pose, rad. Default 1°.
    public var largestSpread = Angle(degrees: 1).radians
    /// The fastest turning of a still head, rad/s. Default 0.1.
    public var largestRate = 0.1
    /// The least nod, rad. Default 15°; 20° to 30° is best.
    public var smallestNod = Angle(degrees: 15).radians
    /// The largest nod, rad; beyond it the neck no longer turns about one axis. Default 60°.
    public var largestNod = Angle(degrees: 60).radians
    /// Nods to average, 1 or 2. Default 2.
    public var nods = 2
    /// How far the mounts of two nods may differ, rad. Default 10°.
    public var largestDisagreement = Angle(degrees: 10).radians
    /// Whether the chin is raised as well, which doubles the lever arm. Default false.
    public var asksToRaise = false
    /// Whether a turn is asked for at the end. Default true.
    public var checksTurn = true
    /// How far the head shall turn to each side, rad. Default 30°.
    public var turn = Angle(degrees: 30).radians
    /// How far it may tilt meanwhile, rad. Default 5°.
    public var largestTilt = Angle(degrees: 5).radians
    /// Seconds without a sample after which a pose begins anew. Default 0.25.
    public var longestGap = 0.25

    /// The defaults.
    public init() {}
  }

  /// What was seen so far.
  struct State: Sendable {
    var prompt = Prompt.lookAhead
    var pose = StillPose()
    /// Of the present nod.
    var ahead: (direction: Vector3<Chip>, spread: Double)?
    var lowered: (direction: Vector3<Chip>, spread: Double)?
    /// Of the nods before.
    var mounts: [HeadMount] = []
    /// What the turn checks.
    var candidate: HeadMount?
    var disagreement: Double?
    var turnStart: Rotation<Device, NorthWestUp>?
    var largestTilt = 0.0
    var repeats = 0
    /// Why it began anew, until the next pose is done.
    var refusal: Hint?
    var result: Result?
  }
}

/// Directions of gravity while a head keeps still.
struct StillPose: Sendable {
  private(set) var directions: [Vector3<Chip>] = []
  private(set) var start: SensorInstant?
  private(set) var last: SensorInstant?
  private var sum = Vector3<Chip>.zero
  /// 1.5 s at 50 Hz are 75; a source that is faster by far begins anew instead of filling the memory.
  private static let capacity = 4096

  /// Seconds since the head became still.
  var duration: Double {
    guard let start, let last else { return 0 }
    return (last - start).seconds
  }

  var mean: Vector3<Chip>? { sum.normalized }

  /// The largest angle between a direction and their mean, rad.
  var spread: Double {
    guard let mean else { return 0 }
    return directions.reduce(0) { max($0, $1.angle(to: mean)) }
  }

  mutating func add(_ direction: Vector3<Chip>, at time: SensorInstant, longestGap: Double) {
    if let last, time <= last || (time - last).seconds > longestGap { self = StillPose() }
    if directions.count >= Self.capacity { self = StillPose() }
    start = start ?? time
    last = time
    directions.append(direction)
    sum += direction
  }
}
