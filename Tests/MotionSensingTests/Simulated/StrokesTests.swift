// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import SimulatedSources

/// What `simulate:swing` promises; the laws of all trajectories are held elsewhere.
@Suite struct StrokesTests {
  /// When the ball meets the racket, in seconds of the trajectory.
  private func contact(_ number: Int, of strokes: Strokes) -> Double {
    Double(number) * Strokes.period + strokes.stroke(number).contact
  }

  @Test func evenTheImpactHasNoJumps() {
    let strokes = Strokes(seed: 3)
    for number in 0..<2 {
      let contact = contact(number, of: strokes)
      var last = strokes.state(at: contact - 0.005)
      for step in 1...40_000 {
        let state = strokes.state(at: contact - 0.005 + Double(step) * 1e-6)
        #expect((state.position - last.position).length < 1e-4)
        #expect((state.velocity - last.velocity).length < 2e-3)
        #expect((state.acceleration - last.acceleration).length < 3)
        #expect((state.angularVelocity - last.angularVelocity).length < 0.02)
        last = state
      }
    }
  }

  @Test func oneStrokeEndsWhereTheNextBegins() {
    let strokes = Strokes(seed: 8)
    for border in [4.0, 8, 12] {
      let (before, after) = (strokes.state(at: border - 1e-9), strokes.state(at: border))
      #expect(before.attitude.angle(to: after.attitude) < 1e-7)
      #expect((before.position - after.position).length < 1e-9)
      #expect(before.angularVelocity.length < 1e-6 && after.angularVelocity.length < 1e-6)
    }
  }

  @Test func strokesAreVariedAndPlausible() {
    let strokes = (0..<200).map { Strokes(seed: 5).stroke($0) }
    let times = strokes.map { $0.contact - $0.start }
    #expect(times.min() ?? 0 > 0.11 && times.max() ?? 1 < 0.36)
    #expect((times.max() ?? 0) - (times.min() ?? 0) > 0.15)
    #expect(Set(strokes.map(\.direction)) == [-1, 1])
    #expect(Set(times).count == times.count)
  }

  @Test func theSeedChoosesTheStrokes() {
    #expect(Strokes(seed: 1).stroke(4) == Strokes(seed: 1).stroke(4))
    #expect(Strokes(seed: 1).stroke(4) != Strokes(seed: 2).stroke(4))
  }

  @Test func theAddressGivesAWatchWithTheStrokesOfItsSeed() throws {
    let source = try SimulatedSource(scenario: "swing", options: ["seed": "9"])
    #expect(source.trajectory as? Strokes == Strokes(seed: 9))
    #expect(source.info.deviceClass == .watch)
    #expect(source.info.channel(.accelerometer)?.rates == [800] && source.info.channel(.gyroscope)?.rates == [800])
    #expect(source.info.channel(.accelerometer)?.range ?? 0 > 47.4 * standardGravity)
    let slow = try SimulatedSource(scenario: "swing", options: ["rate": "400"])
    #expect(slow.info.channel(.accelerometer)?.rates == [400])
  }

  @Test func theBallHitsHardAndShortly() {
    let strokes = Strokes(seed: 1)
    for number in 0..<20 {
      let contact = contact(number, of: strokes)
      let peak = (0..<300).map { Double($0) * 1e-4 }.max {
        strokes.state(at: contact + $0).specificForce.length < strokes.state(at: contact + $1).specificForce.length
      }
      let force = strokes.state(at: contact + (peak ?? 0)).specificForce.length / standardGravity
      #expect((0.0005...0.006).contains(peak ?? 1), "the peak comes \(peak ?? 0) s after the contact")
      #expect((10...60).contains(force), "\(force) g")
    }
  }
}
