// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionTesting
import SimulatedSources
import Testing

/// Every fault strikes when and whom the plan says, and nothing else.
@Suite struct FaultTests {
  private func times(_ plan: FaultPlan, _ kind: SensorKinds = .gyroscope, span: Double = 2) -> [Double] {
    collect(simulation { $0.faults = plan }, span: span).readings(kind).map(\.time)
  }
  private let grid = (0..<200).map { Double($0) / 100 }

  @Test func aGapTakesTheSamplesOfItsSensorsAway() {
    let plan: FaultPlan = [Fault(.gap(duration: 0.1), at: 1, kinds: .gyroscope)]
    #expect(times(plan) == grid.filter { !($0 >= 1 && $0 < 1.1) })
    #expect(times(plan, .accelerometer) == grid)
    #expect(times(plan, .magnetometer).count == 100)
    #expect(times([Fault(.gap(duration: 0.1), at: 1)], .magnetometer).count == 95)
  }

  @Test func aDuplicateComesTwiceAtOnce() {
    let doubled = times([Fault(.duplicate, at: 0.495)])
    #expect(doubled.count == 201)
    #expect(doubled[50] == 0.5 && doubled[51] == 0.5 && doubled[52] == 0.51)
  }

  @Test func aLateSampleComesAfterItsSuccessor() {
    let late = times([Fault(.outOfOrder, at: 0.5, kinds: .inertial)])
    #expect(late.sorted() == grid)
    #expect(Array(late[49...52]) == [0.49, 0.51, 0.5, 0.52])
  }

  @Test func aBrokenValueIsNotANumberInOneSampleOfOneSensor() {
    let samples = collect(simulation { $0.faults = [Fault(.notANumber, at: 0.5, kinds: .gyroscope)] }, span: 1)
    let broken = samples.readings(.gyroscope).filter { !$0.value.isFinite }
    #expect(broken.map(\.time) == [0.5])
    #expect(broken.first?.value.x.isNaN == true)
    #expect(samples.readings(.accelerometer).allSatisfy { $0.value.isFinite })
    for kind: SensorKinds in [.magnetometer, .airPressure, .temperature, .accelerometer] {
      let samples = collect(simulation { $0.faults = [Fault(.notANumber, at: 0, kinds: kind)] }, span: 1)
      #expect(samples.readings(kind).filter { !$0.value.isFinite }.map(\.time) == [0])
    }
  }

  @Test func aClockStepMovesEveryLaterTime() {
    let source = simulation {
      $0.faults = [Fault(.clockStep(seconds: -0.255), at: 1)]
      $0.duration = 2
    }
    let stepped = collect(source).readings(.gyroscope).map(\.time)
    #expect(stepped.count == 200)
    #expect(zip(stepped, grid).allSatisfy { ($0 - ($1 >= 1 ? $1 - 0.255 : $1)).magnitude < 1e-9 })
  }

  @Test func theConformanceSuiteFindsEachFaultOfADevice() async {
    for (fault, words) in [
      (Fault(.duplicate, at: 0.5), "are not later than their predecessor"),
      (Fault(.outOfOrder, at: 0.5), "are not later than their predecessor"),
      (Fault(.notANumber, at: 0.5), "not finite"), (Fault(.clockStep(seconds: -0.1), at: 0.5), "are not later"),
      (Fault(.disconnect(reconnectAfter: nil), at: 0.5), "was disconnected"),
    ] {
      let found = await SourceConformance(source: simulation { $0.faults = [fault] }).violations()
      #expect(found.contains { $0.contains(words) }, "\(fault): \(found)")
    }
  }

  // MARK: Interruptions

  @Test func aStalledDeviceSaysNothingMoreUntilItIsStoppedAndThenLives() async {
    let clock = VirtualClock()
    let source = simulation { $0.faults = [Fault(.stall, at: 0.5)] }
    let stalled = SampleCollector(source, clock: clock, kinds: .inertial)
    await clock.advance(by: .seconds(5))
    #expect(stalled.samples.count == 50)
    #expect(stalled.ending == nil)
    stalled.stop()
    #expect(await stalled.ended())
    #expect(stalled.failure == nil)
    let again = SampleCollector(source, clock: clock, kinds: .inertial, resumeAfter: stalled.samples.last?.time)
    await clock.advance(by: .milliseconds(95))
    #expect(again.samples.count == 10)
    again.stop()
    #expect(await again.ended())
  }

  @Test func aStallOnAFreeRunningClockEndsAtTheStopToo() async {
    let source = simulation { $0.faults = [Fault(.stall, at: 0.5)] }
    let collector = SampleCollector(source, clock: FreeRunningClock(), kinds: .inertial)
    #expect(!(await collector.ended(within: .milliseconds(50))))
    collector.stop()
    #expect(await collector.ended())
    #expect(collector.samples.count == 50)
  }

  @Test func aDeviceThatLeavesFailsUntilItIsBack() async {
    let clock = VirtualClock()
    let source = simulation { $0.faults = [Fault(.disconnect(reconnectAfter: 2), at: 0.5)] }
    let first = SampleCollector(source, clock: clock, kinds: .inertial)
    await clock.advance(by: .seconds(1))
    #expect(await first.ended())
    #expect(first.failure?.code == .disconnected)
    #expect(first.samples.count == 50)

    let away = SampleCollector(source, clock: clock, kinds: .inertial)
    #expect(await away.ended())
    #expect(away.failure?.code == .disconnected)
    #expect(away.samples.isEmpty)

    await clock.advance(by: .milliseconds(1500))
    let back = SampleCollector(source, clock: clock, kinds: .inertial)
    await clock.advance(by: .milliseconds(95))
    #expect(back.samples.map(\.time.seconds).first == 2.5)
    #expect(back.samples.count == 10)
    back.stop()
    #expect(await back.ended())
  }

  @Test func onAFreeRunningClockTheAbsencePassesInNoTime() {
    let source = simulation { $0.faults = [Fault(.disconnect(reconnectAfter: 2), at: 0.5)] }
    let before = collect(source, span: 4, kinds: .inertial)
    #expect(before.last?.time.seconds == 0.49)
    let after = collect(source, span: 4, kinds: .inertial, after: before.last?.time)
    #expect(after.first?.time.seconds == 2.5)
    #expect(after.count == 150)
  }

  @Test func aDeviceThatLeavesForEverStaysAway() async {
    let source = simulation { $0.faults = [Fault(.disconnect(reconnectAfter: nil), at: 0.5)] }
    for expected in [50, 0, 0] {
      let collector = SampleCollector(source, clock: FreeRunningClock(), kinds: .inertial)
      #expect(await collector.ended())
      #expect(collector.failure?.code == .disconnected)
      #expect(collector.samples.count == expected)
    }
  }
}
