// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

extension SwingDetector {
  /// Where a rotation in one direction began.
  private struct Onset {
    /// The last quiet sample before.
    var index: Int
    var time: SensorInstant
    /// The sample with the fastest rotation.
    var fastest: Int
  }

  /// Drops the rotations that no impact can need any more: those that end before what the accelerometer has reached, and, when
  /// that is silent, those older than anybody waits for.
  mutating func forget() {
    guard let newest = state.rotations.last, let oldest = state.rotations.first else { return }
    var needed = newest.time - parameters.patience - parameters.lookBack
    if let time = state.accelerometerTime {
      // An impact lies up to the search for its peak behind the latest sample.
      let reached = state.waiting.first?.time ?? (time - parameters.peakBefore - parameters.peakAfter)
      needed = max(needed, min(reached, newest.time) - parameters.lookBack)
    }
    // Thrown away in portions, so that a sample is moved once and not at every step.
    guard needed - oldest.time > .seconds(1) else { return }
    state.rotations.removeFirst(state.rotations.firstIndex { $0.time >= needed } ?? 0)
  }

  /// Walks back from an impact.
  func stroke(before impact: SensorInstant) -> Swing.Stroke {
    let rotations = state.rotations
    guard let last = rotations.lastIndex(where: { $0.time <= impact }),
      impact - rotations[last].time <= parameters.longestStep
    else {
      // Motion that begins behind the impact, or has ended well before it, says nothing about it.
      return .unknown(.noDeviceMotion)
    }
    // The ball brakes the wrist, so the fastest moment may be a little earlier.
    var fastest = last
    for index in stride(from: last, through: 0, by: -1) {
      guard impact - rotations[index].time <= parameters.approach else { break }
      if abs(rotations[index].rate) > abs(rotations[fastest].rate) { fastest = index }
    }
    guard abs(rotations[fastest].rate) >= parameters.leastRate else { return .unknown(.noRotation) }
    let direction = rotations[fastest].rate > 0 ? 1.0 : -1
    switch onset(before: last, from: fastest, direction: direction, impact: impact) {
    case .failure(let reason): return .unknown(reason)
    case .success(let onset):
      return .found(
        Swing.Phases(
          backswing: backswing(before: onset, direction: direction, impact: impact), start: onset.time,
          fastest: rotations[onset.fastest].time, fastestRate: rotations[onset.fastest].rate))
    }
  }

  private enum Search {
    case success(Onset)
    case failure(Swing.Reason)
  }

  /// The onset of the rotation in `direction` that sample `start` is part of; `end` is the last sample looked at.
  private func onset(before end: Int, from start: Int, direction: Double, impact: SensorInstant) -> Search {
    let rotations = state.rotations
    for index in start..<end where isGap(behind: index) { return .failure(.gap) }
    var fastest = start
    var quiet: Int?
    var threshold = 0.0
    for index in stride(from: start, through: 0, by: -1) {
      let (time, rate) = (rotations[index].time, rotations[index].rate * direction)
      guard impact - time <= parameters.lookBack else { break }
      if index < start, isGap(behind: index) { return .failure(.gap) }
      if rate > rotations[fastest].rate * direction { fastest = index }
      threshold = max(parameters.leastRate, parameters.leastFraction * rotations[fastest].rate * direction)
      guard rate < threshold else {
        quiet = nil
        continue
      }
      let border = quiet ?? index
      quiet = border
      guard rotations[border].time - time >= parameters.quiet else { continue }
      let (before, after) = (rotations[border], rotations[border + 1])
      let part = (threshold - before.rate * direction) / ((after.rate - before.rate) * direction)
      let step = Double((after.time - before.time).nanoseconds) * min(1, max(0, part))
      return .success(
        Onset(
          index: border, time: before.time + SensorDuration(nanoseconds: Int64(step.rounded())), fastest: fastest))
    }
    return .failure(.noStart)
  }

  /// When the rotation against `direction` began that ends at the start of the swing; nil when there is none, or when its
  /// beginning is not in the data.
  private func backswing(before start: Onset, direction: Double, impact: SensorInstant) -> SensorInstant? {
    let rotations = state.rotations
    for index in stride(from: start.index, through: 0, by: -1) {
      guard impact - rotations[index].time <= parameters.lookBack, !isGap(behind: index) else { return nil }
      guard rotations[index].rate * direction <= -parameters.leastRate else { continue }
      switch onset(before: index, from: index, direction: -direction, impact: impact) {
      case .success(let onset): return onset.time
      case .failure: return nil
      }
    }
    return nil
  }

  /// Whether states of motion are missing after this one.
  private func isGap(behind index: Int) -> Bool {
    let rotations = state.rotations
    guard index + 1 < rotations.count else { return false }
    return rotations[index + 1].time - rotations[index].time > parameters.longestStep
  }
}
