// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// The poses that are held, and the turn that is checked.
extension LookAndNodCalibrator {
  mutating func hold(_ gravity: Vector3<Chip>, rate: Double, at time: SensorInstant) -> Step {
    if let hint = hintOfPose(gravity) {
      state.pose = StillPose()
      return Step(prompt: state.prompt, progress: 0, hint: hint)
    }
    let isStill = rate < parameters.largestRate
    let strays = state.pose.mean.map { $0.angle(to: gravity) >= parameters.largestSpread } ?? false
    if !isStill || strays { state.pose = StillPose() }
    guard isStill else { return Step(prompt: state.prompt, progress: 0, hint: state.refusal ?? .keepStill) }
    state.pose.add(gravity, at: time, longestGap: parameters.longestGap)
    let needed = state.prompt == .lookAhead ? parameters.lookTime : parameters.holdTime
    guard state.pose.duration >= needed, let mean = state.pose.mean else {
      return Step(prompt: state.prompt, progress: state.pose.duration / needed, hint: state.refusal)
    }
    let spread = state.pose.spread
    state.pose = StillPose()
    guard spread < parameters.largestSpread else {
      return Step(prompt: state.prompt, progress: 0, hint: .keepStill)
    }
    state.refusal = nil
    finishPose(mean, spread)
    return Step(prompt: state.prompt, progress: state.prompt == .done ? 1 : 0, hint: state.refusal)
  }

  /// What is wrong with where the chin is; nil while looking ahead, or where nothing is.
  private func hintOfPose(_ gravity: Vector3<Chip>) -> Hint? {
    if state.prompt == .lookAhead, let known = state.mounts.last {
      // The chin is still down: a wearer who raises it slowly must not be measured there.
      let away = (known.rotation * gravity).angle(to: Vector3<Device>(x: 0, y: 0, z: -1))
      return away > parameters.largestDisagreement ? state.refusal ?? .straightAhead : nil
    }
    guard state.prompt != .lookAhead, let ahead = state.ahead else { return nil }
    let angle = gravity.angle(to: ahead.direction)
    if state.prompt == .lowerChin {
      if angle < parameters.smallestNod { return state.refusal ?? .lowerFurther }
    } else if let lowered = state.lowered {
      // Up is where the angle to the lowered chin is larger than that of the nod.
      let isUp = gravity.angle(to: lowered.direction) > ahead.direction.angle(to: lowered.direction)
      if angle < parameters.smallestNod || !isUp { return state.refusal ?? .raiseFurther }
    }
    return angle > parameters.largestNod ? .notSoFar : nil
  }

  private mutating func finishPose(_ mean: Vector3<Chip>, _ spread: Double) {
    switch state.prompt {
    case .lookAhead:
      state.ahead = (mean, spread)
      state.prompt = .lowerChin
    case .lowerChin:
      state.lowered = (mean, spread)
      if parameters.asksToRaise { state.prompt = .raiseChin } else { finishNod(raised: nil) }
    case .raiseChin: finishNod(raised: (mean, spread))
    case .turnLeft, .turnRight, .done: break
    }
  }

  private mutating func finishNod(raised: (direction: Vector3<Chip>, spread: Double)?) {
    guard let ahead = state.ahead, let lowered = state.lowered,
      let mount = HeadMount(
        ahead: ahead.direction, lowered: lowered.direction, raised: raised?.direction,
        spread: max(ahead.spread, lowered.spread, raised?.spread ?? 0))
    else { return restart(.nodsDisagree) }
    state.mounts.append(mount)
    (state.ahead, state.lowered) = (nil, nil)
    guard state.mounts.count >= min(2, parameters.nods) else {
      state.prompt = .lookAhead
      return
    }
    var result = mount
    if state.mounts.count == 2 {
      let disagreement = state.mounts[0].rotation.angle(to: mount.rotation)
      guard disagreement <= parameters.largestDisagreement else { return restart(.nodsDisagree) }
      state.disagreement = disagreement
      result = state.mounts[0].averaged(with: mount)
    }
    state.candidate = result
    if parameters.checksTurn { state.prompt = .turnLeft } else { finish(result, tilt: nil) }
  }

  /// The head turns: yaw shall move, the right way, and nothing else.
  mutating func turn(_ bud: Rotation<Chip, NorthWestUp>) -> Step {
    guard let mount = state.candidate else { return Step(prompt: state.prompt, progress: 0) }
    let head = bud * mount.rotation.inverse
    let down = head.inverse * Vector3<NorthWestUp>(x: 0, y: 0, z: -1)
    // The chin need not have come up fully when the turn is asked for: it is counted from a level head on.
    let tilt = Vector3<Device>(x: 0, y: 0, z: -1).angle(to: down)
    guard let start = state.turnStart else {
      guard tilt <= parameters.largestTilt else { return Step(prompt: state.prompt, progress: 0, hint: .keepStill) }
      state.turnStart = head
      return Step(prompt: state.prompt, progress: 0)
    }
    let turned = head * start.inverse
    let yaw = Angle(radians: 2 * Scalar.atan2(turned.z, turned.w)).wrapped.radians
    guard abs(yaw) > parameters.turn / 6 || state.prompt == .turnRight else {
      // The turn has not begun; the chin may still be on its way.
      if tilt > parameters.largestTilt { state.turnStart = nil }
      return Step(prompt: state.prompt, progress: 0)
    }
    state.largestTilt = max(state.largestTilt, tilt)
    guard tilt <= parameters.largestTilt else { return refuse(.tiltedWhileTurning) }
    if state.prompt == .turnLeft {
      guard yaw > -parameters.turn else { return refuse(.turnedTheWrongWay) }
      if yaw >= parameters.turn { state.prompt = .turnRight }
    } else if yaw <= -parameters.turn {
      finish(mount, tilt: state.largestTilt)
      return Step(prompt: .done, progress: 1)
    }
    let way = state.prompt == .turnLeft ? yaw : parameters.turn - yaw
    let whole = state.prompt == .turnLeft ? parameters.turn : 2 * parameters.turn
    return Step(prompt: state.prompt, progress: min(1, max(0, way / whole)))
  }

  private mutating func finish(_ mount: HeadMount, tilt: Double?) {
    state.prompt = .done
    state.result = Result(
      mount: mount, disagreement: state.disagreement, tiltWhileTurning: tilt, repeats: state.repeats)
  }

  private mutating func refuse(_ hint: Hint) -> Step {
    restart(hint)
    return Step(prompt: state.prompt, progress: 0, hint: hint)
  }

  private mutating func restart(_ hint: Hint) {
    let repeats = state.repeats + 1
    state = State()
    (state.repeats, state.refusal) = (repeats, hint)
  }
}
