// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

/// Finds out how a bud sits on its wearer's head, by a look straight ahead and a nod.
///
/// It takes samples in the axes of the bud (a source opened with `mount=bud`) and says at each what the wearer shall do
/// next. Only the direction of gravity counts, taken from the attitude: it is the same whatever way the wearer faces.
/// What can go wrong is a nod that carries roll, which turns the axes about the vertical by atan(roll / nod): 2° on a
/// nod of 22° are 5°. So the nod is asked for twice and the mounts averaged, and at the end a turn to the left and to
/// the right shows whether yaw moves alone.
///
/// ```swift
/// var calibrator = LookAndNodCalibrator()
/// for await sample in samples {
///   let step = calibrator.update(sample)
///   show(step.prompt.sentence, step.hint?.sentence, step.progress)
///   if let result = calibrator.result { return result.mount }
/// }
/// ```
///
/// The procedure and its limits are this project's own; the idea of look and nod is that of Headitude (D. Rudrich,
/// github.com/DanielRudrich/Headitude), the mathematics is in ``HeadMount``.
package struct LookAndNodCalibrator: Sendable {
  /// What the wearer shall do.
  package enum Prompt: Sendable, Hashable, CaseIterable {
    case lookAhead, lowerChin, raiseChin, turnLeft, turnRight, done

    /// The prompt in words.
    package var sentence: String {
      switch self {
      case .lookAhead: "Look straight ahead and keep still."
      case .lowerChin: "Lower your chin and hold it there."
      case .raiseChin: "Raise your chin and hold it there."
      case .turnLeft: "Turn your head to the left, your chin level."
      case .turnRight: "Now turn your head to the right."
      case .done: "Done."
      }
    }
  }

  /// Why it does not go on at the moment, or why it started again.
  package enum Hint: Sendable, Hashable, CaseIterable {
    case keepStill, lowerFurther, notSoFar, raiseFurther, straightAhead
    case noAttitude, nodsDisagree, turnedTheWrongWay, tiltedWhileTurning

    /// The hint in words.
    package var sentence: String {
      switch self {
      case .keepStill: "Keep your head still."
      case .lowerFurther: "A little further down."
      case .notSoFar: "Not quite so far."
      case .raiseFurther: "A little further up."
      case .straightAhead: "Straight ahead, as before."
      case .noAttitude: "The headphones send no attitude; take them out and put them in again."
      case .nodsDisagree: "The two nods went different ways; nod straight ahead, without tilting. Once more, please."
      case .turnedTheWrongWay: "That was a turn to the right, or the nod went up instead of down. Once more, please."
      case .tiltedWhileTurning: "Your head tilted while it turned, or the nod was not straight. Once more, please."
      }
    }
  }

  /// What one sample brought.
  package struct Step: Sendable, Hashable {
    /// What the wearer shall do now.
    package var prompt: Prompt
    /// 0…1: how much of the present prompt is done.
    package var progress: Double
    /// Why it does not go on; nil = it does.
    package var hint: Hint?
  }

  /// The mount and how good it is.
  package struct Result: Sendable, Hashable {
    /// Bud → head, with the angle of the nod and the scatter of gravity in the still poses.
    package var mount: HeadMount
    /// Angle between the mounts of the two nods, rad; nil after a single one.
    package var disagreement: Double?
    /// The largest pitch or roll while the head turned, rad; nil when that was not checked.
    package var tiltWhileTurning: Double?
    /// Times that it started again.
    package var repeats: Int
  }

  let parameters: Parameters
  var state = State()

  /// Nothing seen yet.
  package init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// What the wearer shall do now.
  package var prompt: Prompt { state.prompt }
  /// Times that it started again because a check failed.
  package var repeats: Int { state.repeats }
  /// The result; nil before the end.
  package var result: Result? { state.result }

  /// Processes a sample in the axes of the bud.
  @discardableResult
  package mutating func update(_ sample: MotionRow) -> Step {
    guard state.prompt != .done else { return Step(prompt: .done, progress: 1) }
    guard let attitude = sample.attitude?.relabeled(from: Chip.self, to: NorthWestUp.self),
      sample.angularVelocity.isFinite
    else { return Step(prompt: state.prompt, progress: 0, hint: .noAttitude) }
    let gravity = attitude.inverse * Vector3<NorthWestUp>(x: 0, y: 0, z: -1)
    switch state.prompt {
    case .lookAhead, .lowerChin, .raiseChin:
      return hold(gravity, rate: sample.angularVelocity.length, at: sample.time)
    case .turnLeft, .turnRight, .done: return turn(attitude)
    }
  }
}

extension LookAndNodCalibrator {
  /// What counts as still, as a nod and as a turn.
  package struct Parameters: Sendable, Hashable {
    /// Seconds to look ahead. Default 1.5.
    var lookTime = 1.5
    /// Seconds to hold the chin. Default 1.
    var holdTime = 1.0
    /// How far the direction of gravity may lie from its mean in a still pose, rad. Default 1°.
    package var largestSpread = Angle(degrees: 1).radians
    /// The fastest turning of a still head, rad/s. Default 0.1.
    package var largestRate = 0.1
    /// The least nod, rad. Default 15°; 20° to 30° is best.
    var smallestNod = Angle(degrees: 15).radians
    /// The largest nod, rad; beyond it the neck no longer turns about one axis. Default 60°.
    var largestNod = Angle(degrees: 60).radians
    /// Nods to average, 1 or 2. Default 2.
    package var nods = 2
    /// How far the mounts of two nods may differ, rad. Default 10°.
    var largestDisagreement = Angle(degrees: 10).radians
    /// Whether the chin is raised as well, which doubles the lever arm. Default false.
    package var asksToRaise = false
    /// Whether a turn is asked for at the end. Default true.
    package var checksTurn = true
    /// How far the head shall turn to each side, rad. Default 30°.
    package var turn = Angle(degrees: 30).radians
    /// How far it may tilt meanwhile, rad. Default 5°.
    var largestTilt = Angle(degrees: 5).radians
    /// Seconds without a sample after which a pose starts again. Default 0.25.
    package var longestGap = 0.25

    /// The defaults.
    package init() {}
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
    /// Why it started again, until the next pose is done.
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
  /// 1.5 s at 50 Hz are 75; a source that is faster by far starts again instead of filling the memory.
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
