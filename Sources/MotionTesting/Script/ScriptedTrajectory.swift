// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import SimulatedSources

/// The steps of a script put end to end. Every piece begins and ends at rest, so velocity is continuous everywhere;
/// acceleration is too, except where a device is let go and where it touches the ground: no device can do these gently.
struct ScriptedTrajectory: Trajectory {
  private struct Piece {
    var start: Double
    var step: MotionStep
    var attitude: Rotation<Device, EastNorthUp>
    var position: Vector3<EastNorthUp>

    func state(at seconds: Double) -> TrajectoryState {
      step.state(after: seconds - start, attitude: attitude, position: position)
    }
  }

  private let pieces: [Piece]
  private let last: TrajectoryState
  private let end: Double

  init(_ script: MotionScript) {
    var pieces: [Piece] = []
    var state = TrajectoryState(attitude: script.start)
    var time = 0.0
    for step in script.steps {
      let piece = Piece(start: time, step: step, attitude: state.attitude, position: state.position)
      pieces.append(piece)
      let after = step.state(after: step.duration, attitude: state.attitude, position: state.position)
      // Rounding must not leave a speed of 10⁻¹⁷ m/s behind.
      state = TrajectoryState(attitude: after.attitude, position: after.position)
      time += step.duration
    }
    self.pieces = pieces
    last = state
    end = time
  }

  func state(at seconds: Double) -> TrajectoryState {
    let t = max(0, seconds)
    guard t < end, let piece = pieces.last(where: { $0.start <= t }) else { return last }
    return piece.state(at: t)
  }

  func stepCount(at seconds: Double) -> Int {
    pieces.reduce(0) { $0 + $1.step.stepCount(after: seconds - $1.start) }
  }
}
