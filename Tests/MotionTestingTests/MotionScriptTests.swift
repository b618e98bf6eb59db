// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import MotionTesting
import SimulatedSources
import Testing

/// A script's trajectory is exact: rates are derivatives, every step begins and ends at rest.
@Suite struct MotionScriptTests {
  private static let everything: MotionScript = [
    .rest(0.5), .tilt(degrees: 30, .right, for: 0.5), .turn(degrees: 90, .left, for: 1), .shake(2), .nod(2),
    .shakeHead(),
    .move(0.3, .up, for: 0.5), .walk(4), .tilt(degrees: 50, .back, for: 0.5), .drop(0.4), .rest(0.5),
  ]

  @Test func angularVelocityIsTheDerivativeOfTheAttitude() {
    let (trajectory, h) = (Self.everything.trajectory, 1e-5)
    for t in stride(from: 0.0151, to: Self.everything.duration, by: 0.0371) {
      let before = trajectory.state(at: t - h).attitude
      let after = trajectory.state(at: t + h).attitude
      let rate = (before.inverse * after).rotationVector / (2 * h)
      #expect((rate - trajectory.state(at: t).angularVelocity).length < 2e-4, "at \(t) s")
    }
  }

  // The times do not come near the release and the landing of the fall, where acceleration jumps.
  @Test func velocityAndAccelerationAreTheDerivativesOfThePosition() {
    let (trajectory, h) = (Self.everything.trajectory, 1e-5)
    for t in stride(from: 0.0151, to: Self.everything.duration, by: 0.0371) {
      let (before, now, after) = (trajectory.state(at: t - h), trajectory.state(at: t), trajectory.state(at: t + h))
      #expect(((after.position - before.position) / (2 * h) - now.velocity).length < 2e-4, "at \(t) s")
      #expect(((after.velocity - before.velocity) / (2 * h) - now.acceleration).length < 0.02, "at \(t) s")
    }
  }

  @Test func everyStepEndsAtRestWhereTheNextBegins() {
    let trajectory = Self.everything.trajectory
    var time = 0.0
    for step in Self.everything.steps {
      time += step.duration
      let (before, after) = (trajectory.state(at: time - 1e-9), trajectory.state(at: time))
      #expect((before.position - after.position).length < 1e-6)
      #expect(before.attitude.angle(to: after.attitude) < 1e-6)
      #expect(before.velocity.length < 1e-4)
      #expect(after.velocity.length < 1e-12)
    }
  }

  @Test func tiltingRightLowersTheRightEdgeAndBackRaisesTheTop() {
    let right = MotionScript([.tilt(degrees: 30, .right, for: 1)]).trajectory.state(at: 2).attitude
    #expect(abs((right * Vector3<Device>(x: 1, y: 0, z: 0)).z + 0.5) < 1e-12)
    let back = MotionScript([.tilt(degrees: 30, .back, for: 1)]).trajectory.state(at: 2).attitude
    #expect(abs((back * Vector3<Device>(x: 0, y: 1, z: 0)).z - 0.5) < 1e-12)
  }

  @Test func turningLeftTurnsTheTopEdgeFromNorthToWestHoweverTheDeviceLeans() {
    let script: MotionScript = [.tilt(degrees: 40, .back, for: 1), .turn(degrees: 90, .left, for: 1)]
    let top = script.trajectory.state(at: 3).attitude * Vector3<Device>(x: 0, y: 1, z: 0)
    #expect(top.x < -0.7)
    #expect(abs(top.y) < 1e-12)
  }

  @Test func aFallIsWeightlessAndEndsOnTheGround() {
    let script: MotionScript = [.rest(1), .drop(0.4)]
    #expect(script.trajectory.state(at: 1.2).specificForce.length < 1e-12)
    #expect(script.trajectory.state(at: 1.425).specificForce.length > 10 * standardGravity)
    let ground = -standardGravity * 0.4 * 0.4 / 2 - standardGravity * 0.4 * 0.05 / 2
    #expect(abs(script.trajectory.state(at: 9).position.z - ground) < 1e-12)
  }

  @Test func walkingGoesWhereTheHeadingPoints() {
    let end = MotionScript([.turn(degrees: 90, .right, for: 1), .walk(10)]).trajectory.state(at: 20).position
    #expect(abs(end.x - 1.4 * 9) < 1e-9)
    #expect(abs(end.y) < 1e-9)
  }

  @Test func theTextSaysTheSameAsTheSteps() throws {
    let text = """
      rest 1 s, tilt 30° right in 0.5 s, shake 2 s; turn left by 90 degrees then walk for 10 s
      move 30 cm up in 500ms, drop
      """
    let steps: MotionScript = [
      .rest(1), .tilt(degrees: 30, .right, for: 0.5), .shake(2), .turn(degrees: 90, .left, for: 1), .walk(10),
      .move(0.3, .up, for: 0.5), .drop(0.4),
    ]
    #expect(try MotionScript(text) == steps)
  }

  @Test func peopleOnTheWayAreSaidInWordsToo() throws {
    let text = """
      walk 60 s at 110 steps a minute, climb 2 floors, descend 1 floor in 12 s, drive 5 min, cycle 90 s
      run for 10 s at 3 steps per second, ride the lift 3 floors, ride down, walk 5 s at 100 steps/min
      """
    let steps: MotionScript = [
      .walk(60, cadence: 110 / 60.0), .climb(floors: 2), .climb(floors: -1, cadence: 1.5), .drive(300), .cycle(90),
      .run(10, cadence: 3), .lift(floors: 3), .lift(floors: -1), .walk(5, cadence: 100 / 60.0),
    ]
    #expect(try MotionScript(text) == steps)
  }

  @Test func headsMoveByTheSameWords() throws {
    let text = """
      nod, nod twice in 2 s, nod 15° 3 times, shake head, shake the head 45 degrees once
      look 20° up, look down 20° in 1 s, look left 40°, shake
      """
    let steps: MotionScript = [
      .nod(), .nod(2, for: 2), .nod(3, degrees: 15), .shakeHead(), .shakeHead(1, degrees: 45),
      .tilt(degrees: 20, .back, for: 0.5), .tilt(degrees: 20, .forward, for: 1), .turn(degrees: 40, .left, for: 1),
      .shake(1),
    ]
    #expect(try MotionScript(text) == steps)
  }

  @Test func linesMayEndAsOnWindows() throws {
    let text = "rest 1 s\r\nwalk 2 s\r\n"
    #expect(try MotionScript(text) == [.rest(1), .walk(2)])
  }

  /// What an error gives as an example must itself be a script.
  @Test(arguments: [
    "rest", "tilt", "turn", "look", "nod", "move", "shake", "shake head", "walk", "run", "climb", "descend", "cycle",
    "drive", "ride", "drop",
  ])
  func theExampleInAMistakeIsAScript(_ verb: String) throws {
    let error = #expect(throws: SensorError.self) { try MotionScript("\(verb) somehow") }
    let parts = try #require(error).message.components(separatedBy: "write for example “")
    _ = try MotionScript(String(try #require(parts.last).prefix { $0 != "”" }))
    #expect(parts.count == 2)
  }

  @Test func aWrongValueStopsWithItsSentence() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = MotionStep.rest(-1)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Fatal error: A step of a motion script lasts from 0.001 to 1000000 s, not -1.0 s."))
  }

  @Test func aLiteralReadsAsTheText() throws {
    let (literal, text): (MotionScript, String) = ("rest 1 s, nod twice", "rest 1 s, nod twice")
    #expect(try literal == MotionScript(text))
  }

  @Test func theStepsOfAScriptAreKnownExactly() {
    let script: MotionScript =
      "rest 10 s, walk 60 s at 110 steps a minute, climb 2 floors, ride the lift 3 floors, drive 5 min, run 10 s"
    #expect(script.stepCount == 110 + 36 + 27)
    #expect(script.steps.map(\.stepCount) == [0, 110, 36, 0, 0, 27])
    let trajectory = script.trajectory
    #expect(trajectory.stepCount(at: 10) == 0 && trajectory.stepCount(at: 40) == 55)
    #expect(trajectory.stepCount(at: 1e6) == script.stepCount)
    // As many as there are impacts; the road stays below 3 m/s².
    var (impacts, last, time) = (0, 0.0, 0.0)
    for index in 0..<Int(script.duration * 200) {
      let up = trajectory.state(at: Double(index) / 200).acceleration.z
      if last < 3, up >= 3, Double(index) / 200 - time > 0.2 {
        (impacts, time) = (impacts + 1, Double(index) / 200)
      }
      last = up
    }
    #expect(impacts == script.stepCount)
    #expect(abs(trajectory.state(at: 1e6).position.z - 15) < 1e-6)
  }

  @Test func aLiftOfNoFloorsStands() {
    let state = MotionScript([.lift(floors: 0)]).trajectory.state(at: 1)
    #expect(state.position == .zero && state.velocity == .zero)
  }

  @Test(arguments: [
    ("", "empty", 0, ""), ("rest 1 s, jump", "“jump” is not a step of a motion script", 1, "11"),
    ("rest 1\ntilt 30° rihgt", "its directions are left, right, forward, back", 2, "10"),
    ("tilt right", "needs an amount", 1, "1"), ("turn 90°", "needs a direction", 1, "1"),
    ("turn 90° up", "its directions are left, right", 1, "10"),
    ("rest 1 s 2 s", "two times", 1, "10"), ("rest -1 s", "must last from 0.001", 1, "1"),
    ("shake 3 m", "is not a valid amount for “shake”", 1, "7"),
    ("rest 1d", "“d” is not a unit", 1, "6"), ("walk at 500 steps a minute", "from 6 to 360 steps", 1, "9"),
    ("walk at 2 floors", "After “at” come steps a minute", 1, "9"), ("rest at 1 s", "is not understood", 1, "6"),
    ("cycle at 60 steps a minute", "is not understood", 1, "7"), ("climb 0 floors", "more than 0", 1, "1"),
    ("climb 2 floors in 5 s", "3 to 180 s a floor", 1, "1"), ("ride 2 floors in 9 s", "has its own speed", 1, "1"),
    ("climb 1 floor in 9 s at 2 steps a second", "one is enough", 1, "1"),
    ("shake head 0 times", "takes one whole number", 1, "12"), ("nod once twice", "takes one whole", 1, "10"),
    ("rest twice", "is not a valid amount for “rest”", 1, "6"), ("look up", "write “look 30° right in 0.5 s”", 1, "1"),
    ("nod left", "write for example “nod twice in 2 s”", 1, "5"),
    ("walk 20 steps", "Steps need “a minute” or “a second”", 1, "6"),
    ("rest 1 s, walk 50 steps in 10 s", "“walk 10 s at 150 steps a minute”", 1, "16"),
    ("walk 1 step", "Steps need “a minute”", 1, "6"), ("walk 60 s at", "missing after “at”", 1, "11"),
    ("walk 60 s at, rest", "missing after “at”", 1, "11"), ("walk at 110", "After “at” come steps", 1, "9"),
    ("tilt 30° in right", "missing after “in”", 1, "10"), ("turn 90° left by", "missing after “by”", 1, "15"),
    ("turn 90° left to", "missing after “to”", 1, "15"), ("tilt 30° left right", "two directions", 1, "15"),
    ("climb two floors", "write for example “climb 2 floors at 100 steps a minute”", 1, "7"),
    ("rest 1 s\r\ntilt 30° rihgt", "is not understood", 2, "10"),
  ])
  func aMistakeInTheTextIsNamedWithItsPlace(_ text: String, _ sentence: String, _ line: Int, _ column: String) {
    let error = #expect(throws: SensorError.self) { try MotionScript(text) }
    #expect(error?.message.contains(sentence) == true, "\(error?.description ?? "nothing")")
    if line > 0 {
      #expect(error?.place?.line == line)
      #expect(error?.place?.column == column)
    }
  }
}
