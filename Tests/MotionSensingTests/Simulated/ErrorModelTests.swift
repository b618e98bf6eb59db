// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import SimulatedSources

/// Every term of the error models, alone, seen in the samples.
@Suite struct ErrorModelTests {
  private let gravity = Vector3<Device>(x: 0, y: 0, z: 9.80665)

  private func mean(_ values: [Vector3<Device>]) -> Vector3<Device> {
    values.reduce(into: .zero) { $0 += $1 } / Double(values.count)
  }

  @Test func aBiasIsAddedToEverySample() {
    let source = simulation {
      $0.errors.gyroscope.bias = Vector3(x: 0.1, y: -0.2, z: 0.3)
      $0.errors.accelerometer.bias = Vector3(x: 0, y: 0, z: 0.5)
    }
    let samples = collect(source, span: 1)
    #expect(samples.readings(.gyroscope).allSatisfy { $0.value == Vector3(x: 0.1, y: -0.2, z: 0.3) })
    #expect(samples.readings(.accelerometer).allSatisfy { $0.value == gravity + Vector3(x: 0, y: 0, z: 0.5) })
  }

  @Test(arguments: [50.0, 400])
  func noiseHasTheStandardDeviationOfItsDensityAtTheRate(rate: Double) {
    let source = simulation {
      $0.inertial = .together(.init(rate: rate))
      $0.errors.gyroscope.noiseDensity = 0.01
      $0.errors.pressure.noiseDensity = 2
      $0.pressure = .init(rate: rate)
    }
    let samples = collect(source, span: 20_000 / rate, kinds: [.gyroscope, .airPressure])
    let values = samples.readings(.gyroscope).map(\.value)
    let expected = 0.01 * (rate / 2).squareRoot()
    for axis: KeyPath<Vector3<Device>, Double> in [\.x, \.y, \.z] {
      let numbers = values.map { $0[keyPath: axis] }
      let variance = numbers.map { $0 * $0 }.reduce(0, +) / Double(numbers.count)
      #expect((variance.squareRoot() / expected - 1).magnitude < 0.03)
      #expect((numbers.reduce(0, +) / Double(numbers.count)).magnitude < 4 * expected / 20_000.0.squareRoot())
    }
    // White: neighbours, and axes, are not related.
    let neighbours = zip(values, values.dropFirst()).map { $0.dot($1) }.reduce(0, +) / Double(values.count)
    #expect(neighbours.magnitude < 0.04 * expected * expected)
    let axes = values.map { $0.x * $0.y + $0.y * $0.z }.reduce(0, +) / Double(values.count)
    #expect(axes.magnitude < 0.04 * expected * expected)

    let pressures = samples.readings(.airPressure).map { $0.value.x - 101_325 }
    let spread = (pressures.map { $0 * $0 }.reduce(0, +) / Double(pressures.count)).squareRoot()
    #expect((spread / (2 * (rate / 2).squareRoot()) - 1).magnitude < 0.03)
  }

  @Test func aRandomWalkGrowsWithTheSquareRootOfTime() {
    var sums = [0.0, 0.0]
    for seed in 0..<400 as Range<UInt64> {
      var walk = BiasWalk(density: 0.01, random: RandomStream(seed: seed, stream: 3))
      for (number, seconds) in [25.0, 100].enumerated() {
        let value = walk.value(at: seconds)
        sums[number] += value.dot(value) / 3
      }
    }
    #expect(((sums[0] / 400).squareRoot() / 0.05 - 1).magnitude < 0.1)
    #expect(((sums[1] / 400).squareRoot() / 0.10 - 1).magnitude < 0.1)
  }

  @Test func aRandomWalkIsTheSameAtAnyRateAndFromAnyStart() {
    let random = RandomStream(seed: 5, stream: 1)
    var fine = BiasWalk(density: 1, random: random)
    for step in 0...5_000 {
      let seconds = Double(step) * 0.01
      let value = fine.value(at: seconds)
      guard step % 700 == 0 else { continue }
      var fresh = BiasWalk(density: 1, random: random)
      #expect(fresh.value(at: seconds) == value)
    }
  }

  @Test func scaleAndMisalignmentMultiplyTheTruth() {
    let matrix = Matrix3(1.1, 0.01, 0, 0, 0.9, -0.02, 0.03, 0, 1)
    let source = simulation(Spin(angularVelocity: Vector3(x: 1, y: 2, z: 3))) {
      $0.errors.gyroscope.scaleAndMisalignment = matrix
    }
    let values = collect(source, span: 0.5).readings(.gyroscope).map(\.value)
    #expect(values.allSatisfy { $0 == matrix * Vector3(x: 1, y: 2, z: 3) })
  }

  @Test func readingsAreClippedAtTheRangeAndTheRangeIsDeclared() {
    let source = simulation(Spin(angularVelocity: Vector3(x: 10, y: -10, z: 1))) { $0.errors.gyroscope.range = 4 }
    let values = collect(source, span: 0.5).readings(.gyroscope).map(\.value)
    #expect(values.allSatisfy { $0 == Vector3(x: 4, y: -4, z: 1) })
    #expect(source.info.channel(.gyroscope)?.range == 4)
    #expect(source.info.channel(.accelerometer)?.range == nil)
  }

  @Test func quantisedReadingsAreWholeStepsAndAtMostHalfAStepOff() {
    let source = simulation(Handheld()) {
      $0.errors.accelerometer.quantisation = 0.125
      $0.errors.temperature.quantisation = 0.5
      $0.world.temperature = 21.3
    }
    for sample in collect(source, span: 5).readings(.accelerometer) {
      let truth = Handheld().state(at: sample.time).specificForce
      #expect(sample.value.isApproximatelyEqual(to: truth, tolerance: 0.0626))
      #expect((sample.value.x / 0.125).rounded() == sample.value.x / 0.125)
    }
    #expect(collect(source, span: 1, kinds: .temperature).readings(.temperature).first?.value.x == 21.5)
  }

  @Test func aBiasFollowsTheTemperatureOfTheDevice() throws {
    let source = simulation {
      $0.errors.gyroscope.biasPerKelvin = Vector3(x: 0.01, y: 0, z: 0)
      ($0.world.temperature, $0.world.warmUp, $0.world.warmUpTimeConstant) = (20, 10, 5)
    }
    let samples = collect(source, span: 60)
    let rates = samples.readings(.gyroscope)
    #expect(try #require(rates.first).value.x == -0.05)
    #expect((try #require(rates.last).value.x - 0.05).magnitude < 1e-5)
    let temperatures = samples.readings(.temperature).map(\.value.x)
    #expect(temperatures.first == 20)
    #expect((temperatures[5] - (20 + 10 * (1 - Scalar.exp(-1)))).magnitude < 1e-9)
  }

  // MARK: Magnetometer

  @Test func theDefaultFieldPointsNorthAndDownIntoTheEarth() {
    let field = SimulatedWorld().magneticField
    #expect((field.length - 49e-6).magnitude < 1e-12)
    #expect((Scalar.atan2(-field.z, field.y) - Angle(degrees: 66).radians).magnitude < 1e-12)
    let readings = collect(simulation(), span: 0.1).readings(.magnetometer).map(\.value)
    #expect(readings.allSatisfy { $0 == field.relabeled(to: Device.self) })
  }

  @Test func hardIronTurnsWithTheDeviceAndSoftIronBendsTheField() {
    let soft = Matrix3(1.1, 0.1, 0, 0.1, 0.9, 0, 0, 0, 1)
    let hard = Vector3<Device>(x: 1e-5, y: 2e-5, z: -3e-5)
    let spin = Spin(axis: .unitX, rate: 1)
    let source = simulation(spin) {
      $0.errors.magnetometer.hardIron = hard
      $0.errors.magnetometer.softIron = soft
    }
    for sample in collect(source, span: 3).readings(.magnetometer) {
      let truth = spin.state(at: sample.time).attitude.inverse * SimulatedWorld().magneticField
      #expect(sample.value.isApproximatelyEqual(to: soft * truth + hard, tolerance: 1e-15))
    }
  }

  @Test func aDisturbanceLastsFromItsStartForItsDuration() {
    let extra = Vector3<EastNorthUp>(x: 30e-6, y: 0, z: 0)
    let source = simulation {
      $0.errors.magnetometer.disturbances = [MagneticDisturbance(start: 1, duration: 0.5, field: extra)]
    }
    for sample in collect(source, span: 3).readings(.magnetometer) {
      let isDisturbed = sample.time >= 1 && sample.time < 1.5
      #expect((sample.value.x == 30e-6) == isDisturbed)
    }
  }

  @Test func aLateMagnetometerReportsTheFieldOfBefore() {
    let spin = Spin(axis: .unitZ, rate: 4)
    let late = simulation(spin) { $0.errors.magnetometer.latency = 0.02 }
    let prompt = simulation(spin)
    let lateValues = collect(late, span: 2).readings(.magnetometer).map(\.value)
    let promptValues = collect(prompt, span: 2).readings(.magnetometer).map(\.value)
    // At 50 Hz, 20 ms is one sample.
    for (late, prompt) in zip(lateValues.dropFirst(), promptValues) {
      #expect(late.isApproximatelyEqual(to: prompt, tolerance: 1e-17))
    }
  }

  // MARK: Air

  /// Heights of ALT-1, metres for hectopascals.
  @Test(arguments: [(1000.0, 110.88), (900, 988.50), (800, 1948.99), (500, 5574.43), (300, 9163.95)])
  func pressureFollowsTheStandardAtmosphere(hectopascals: Double, height: Double) {
    var world = SimulatedWorld()
    #expect((world.pressure(atHeight: height) / 100 - hectopascals).magnitude < 0.001)
    world.height = height
    #expect((world.pressure(atHeight: 0) / 100 - hectopascals).magnitude < 0.001)
    #expect(world.pressure(atHeight: 100_000) == 0)
  }

  // MARK: Presets

  @Test(arguments: [DeviceErrorModel.phone, .controller])
  func presetsStayNearTheTruth(errors: DeviceErrorModel) {
    let samples = collect(simulation { $0.errors = errors }, span: 30)
    #expect((mean(samples.readings(.accelerometer).map(\.value)) - gravity).length < 0.4)
    let rates = samples.readings(.gyroscope).map(\.value)
    #expect(mean(rates).length < Angle(degrees: 2).radians && mean(rates).length > Angle(degrees: 0.1).radians)
    let field = SimulatedWorld().magneticField.relabeled(to: Device.self)
    #expect((mean(samples.readings(.magnetometer).map(\.value)) - field).length < 5e-6)
    #expect(Set(samples.readings(.gyroscope).map(\.value)).count > 100)
  }
}

@Suite struct RandomStreamTests {
  /// The first outputs of SplitMix64 for the seed 1234567, as published with many implementations.
  @Test func theGeneratorIsSplitMix64() {
    let stream = RandomStream(key: 1_234_567)
    let expected: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
      16_408_922_859_458_223_821,
    ]
    #expect((0..<5).map { stream.bits(at: $0) } == expected)
  }

  @Test func uniformNumbersFillTheirIntervalEvenly() {
    let stream = RandomStream(seed: 3, stream: 0)
    var counts = [Int](repeating: 0, count: 10)
    for index in 0..<100_000 as Range<UInt64> {
      let number = stream.uniform(at: index)
      #expect(number > 0 && number <= 1)
      counts[min(9, Int(number * 10))] += 1
    }
    #expect(counts.allSatisfy { (9_600...10_400).contains($0) })
  }

  @Test func normalNumbersHaveTheMomentsOfANormalDistribution() {
    let stream = RandomStream(seed: 9, stream: 2)
    var moments = [0.0, 0, 0, 0]
    let count = 100_000
    for index in 0..<UInt64(count / 2) {
      let (a, b) = stream.normalPair(at: index)
      for number in [a, b] {
        for order in 0..<4 { moments[order] += Scalar.pow(number, Double(order + 1)) / Double(count) }
      }
    }
    #expect(moments[0].magnitude < 0.015)
    #expect((moments[1] - 1).magnitude < 0.02)
    #expect(moments[2].magnitude < 0.05)
    #expect((moments[3] - 3).magnitude < 0.15)
  }

  @Test func streamsAndSeedsAreIndependent() {
    let a = RandomStream(seed: 1, stream: 0)
    for other in [RandomStream(seed: 1, stream: 1), RandomStream(seed: 2, stream: 0)] {
      let agreeing = (0..<1000 as Range<UInt64>).map { (a.bits(at: $0) ^ other.bits(at: $0)).nonzeroBitCount }
      #expect((Double(agreeing.reduce(0, +)) / 1000 - 32).magnitude < 0.6)
    }
  }
}

/// Every fault strikes when and whom the plan says, and nothing else.
@Suite struct FaultTests {
  private func times(_ plan: [Fault], _ kind: SensorKinds = .gyroscope, span: Double = 2) -> [Double] {
    collect(simulation { $0.faults = plan }, span: span).readings(kind).map(\.time)
  }
  private let grid = (0..<200).map { Double($0) / 100 }

  @Test func aGapTakesTheSamplesOfItsSensorsAway() {
    let plan: [Fault] = [Fault(.gap(duration: 0.1), at: 1, kinds: .gyroscope)]
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
