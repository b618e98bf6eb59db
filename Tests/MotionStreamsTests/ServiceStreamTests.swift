// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionTesting
import SimulatedSources
import Testing

@testable import MotionStreams

/// The streams of headphones, persons, air, water and batches bring what the handlers bring.
@Suite struct ServiceStreamTests {
  @Test func theMotionOfHeadphonesIsThatOfTheHandler() async throws {
    let setup = MotionSetup { $0.headphones = [.rest(1), .turn(degrees: 60, .left, for: 1)] }
    try await withMotion([.rest(1)], setup) { (device: TestDevice) async throws in
      let manager = CMHeadphoneMotionManager()
      let handled = Box<[CMDeviceMotion]>([])
      manager.startDeviceMotionUpdates(to: serialQueue()) { motion, _ in
        if let motion { handled.with { $0.append(motion) } }
      }
      var iterator = MotionUpdates.headphones().makeAsyncIterator()
      await device.advance(by: .seconds(3))
      let expected = handled.value
      #expect(expected.count > 50)
      let both = try await pairs(&iterator, expected, \.timestamp)
      #expect(both.allSatisfy { $0.sensorLocation == $1.sensorLocation && numbers($0.gravity) == numbers($1.gravity) })
      let turned = try #require(both.last).0.attitude.relative(to: both[0].0.attitude).yaw
      #expect(abs(turned - .pi / 3) < 0.02)
      withExtendedLifetime(manager) {}
    }
  }

  @Test func headphonesThatComeAndGoAreTold() async throws {
    try await withMotion([.rest(1)], MotionSetup { $0.headphones = [.rest(60)] }) { (device: TestDevice) async throws in
      var iterator = MotionUpdates.headphoneStatus().makeAsyncIterator()
      await device.advance(by: .seconds(1))
      #expect(try await iterator.next() == .connected)
      await device.disconnectHeadphones()
      #expect(try await iterator.next() == .disconnected)
      await device.connectHeadphones()
      await device.advance(by: .seconds(1))
      #expect(try await iterator.next() == .connected)
    }
  }

  @Test func theActivityOfAWearerIsTold() async throws {
    try await withMotion([.rest(1)], MotionSetup { $0.headphones = [.rest(60)] }) { (device: TestDevice) async throws in
      var iterator = MotionUpdates.headphoneActivity().makeAsyncIterator()
      await device.advance(by: .seconds(30))
      #expect(try await iterator.next()?.kinds == .unknown)
      #expect(try await iterator.next()?.kinds == .stationary)
    }
  }

  @Test func stepsPausesAndActivitiesAreThoseOfTheHandlers() async throws {
    try await withMotion([.rest(5), .walk(30), .rest(20)]) { (device: TestDevice) async throws in
      let (start, pedometer, activities) = (Date(), CMPedometer(), CMMotionActivityManager())
      let handled = Box((steps: [CMPedometerData](), events: [CMPedometerEvent](), activities: [CMMotionActivity]()))
      pedometer.startUpdates(from: start) { data, _ in if let data { handled.with { $0.steps.append(data) } } }
      pedometer.startEventUpdates { event, _ in if let event { handled.with { $0.events.append(event) } } }
      activities.startActivityUpdates(to: serialQueue()) { activity in
        if let activity { handled.with { $0.activities.append(activity) } }
      }
      var steps = MotionUpdates.steps(since: start).makeAsyncIterator()
      var events = MotionUpdates.walkingEvents().makeAsyncIterator()
      var activity = MotionUpdates.activity().makeAsyncIterator()
      try await device.playToEnd()
      let expected = handled.value
      #expect(!expected.steps.isEmpty && !expected.events.isEmpty && expected.activities.count > 1)
      // Who starts a moment later may be told of one less.
      let counted = try await steps.take(expected.steps.count - 1)
      for (steps, data) in zip(counted, expected.steps) {
        #expect(abs(steps.count - data.numberOfSteps.intValue) <= 6)
        #expect(abs((steps.currentCadence ?? 2) - 2) < 0.2)
      }
      #expect(abs((counted.last?.count ?? 0) - device.stepCount) <= 6)
      #expect(try await events.next()?.kind == (expected.events[0].type == .pause ? .paused : .resumed))
      let kinds = try await activity.take(expected.activities.count - 1).map(\.kinds)
      #expect(kinds[0] == .unknown && kinds.contains(.walking) && kinds.contains(.stationary))
    }
  }

  @Test func theHeightIsThatOfTheHandler() async throws {
    let device = TestDevice(source: try SimulatedSource(scenario: "stairs", options: [:]))
    try await device.run {
      let altimeter = CMAltimeter()
      let handled = Box((relative: [CMAltitudeData](), absolute: [CMAbsoluteAltitudeData]()))
      altimeter.startRelativeAltitudeUpdates(to: serialQueue()) { data, _ in
        if let data { handled.with { $0.relative.append(data) } }
      }
      altimeter.startAbsoluteAltitudeUpdates(to: serialQueue()) { data, _ in
        if let data { handled.with { $0.absolute.append(data) } }
      }
      var relative = MotionUpdates.relativeAltitude().makeAsyncIterator()
      var absolute = MotionUpdates.absoluteAltitude().makeAsyncIterator()
      await device.advance(by: .seconds(68))
      let expected = handled.value
      #expect(expected.relative.count > 50 && expected.absolute.count > 20)
      // Who starts a moment later counts from another height, and his seconds may be shifted.
      let heights = try await relative.take(expected.relative.count - 3)
      #expect(heights[0].altitude == 0)
      for (height, data) in zip(heights, expected.relative) {
        #expect(abs(height.altitude - data.relativeAltitude.doubleValue) < 1.5)
        #expect(abs(height.pressure - data.pressure.doubleValue) < 0.02)
      }
      for (height, data) in zip(try await absolute.take(expected.absolute.count - 3), expected.absolute) {
        #expect(abs(height.altitude - data.altitude) < 1.5 && abs(height.accuracy - data.accuracy) < 1)
        #expect(height.precision > 0)
      }
      withExtendedLifetime(altimeter) {}
    }
  }

  @Test func aDiveComesInOneStreamInOrder() async throws {
    let device = TestDevice(source: try SimulatedSource(scenario: "dive", options: [:]))
    try await device.run {
      var iterator = MotionUpdates.water().makeAsyncIterator()
      await device.advance(by: .seconds(180))
      var states: [CMWaterSubmersionEvent.State] = []
      var (deepest, warmest) = (0.0, -100.0)
      while states.count < 3 || deepest < 2 || warmest < -50 {
        switch try #require(try await iterator.next()) {
        case .submersion(let submersion): states.append(submersion.state)
        case .depth(let depth):
          deepest = max(deepest, depth.depth ?? 0)
          #expect(80...130 ~= depth.surfacePressure)
          #expect((depth.depth == nil) == (depth.pressure == nil))
        case .temperature(let water):
          warmest = max(warmest, water.temperature)
          #expect(water.uncertainty >= 0)
        }
      }
      #expect(states.prefix(3) == [.unknown, .notSubmerged, .submerged] && 0...40 ~= warmest)
    }
    #expect(await device.hasStopped())
  }

  @Test func aDepthNeedsAnEntitlement() async throws {
    let setup = MotionSetup { $0.policy.entitlements = [] }
    let device = TestDevice(source: try SimulatedSource(scenario: "dive", options: [:]), setup)
    await device.run { #expect(await refusal(of: MotionUpdates.water())?.code == CMErrorNotEntitled) }
  }

  @Test func batchesAreThoseOfTheHandlers() async throws {
    try await withMotion([.shake(4)], MotionSetup { $0.rate = 800 }) { (device: TestDevice) async throws in
      let manager = CMBatchedSensorManager()
      let handled = Box((accelerations: [[CMAccelerometerData]](), motions: [[CMDeviceMotion]]()))
      manager.startAccelerometerUpdates { batch, _ in if let batch { handled.with { $0.accelerations.append(batch) } } }
      manager.startDeviceMotionUpdates { batch, _ in if let batch { handled.with { $0.motions.append(batch) } } }
      var accelerations = MotionUpdates.accelerometerBatches().makeAsyncIterator()
      var motions = MotionUpdates.deviceMotionBatches().makeAsyncIterator()
      await device.advance(by: .seconds(4))
      let expected = handled.value
      #expect(expected.accelerations.count >= 3 && expected.motions.count >= 3)
      // The first batch of who starts a moment later may be a sample shorter.
      _ = (try await accelerations.next(), try await motions.next())
      let whole = expected.accelerations[1]
      let batch = try #require(try await accelerations.next())
      #expect(batch.count == 800 && batch.map(\.timestamp) == whole.map(\.timestamp))
      #expect(batch.map { numbers($0.acceleration) } == whole.map { numbers($0.acceleration) })
      let states = try #require(try await motions.next())
      #expect(states.count == 200 && states.map(\.timestamp) == expected.motions[1].map(\.timestamp))
      #expect(zip(states, expected.motions[1]).allSatisfy { ($0.gravity - Vector($1.gravity)).length < 1e-3 })
      withExtendedLifetime(manager) {}
    }
  }

  @Test func batchesNeedAWorkout() async throws {
    await withMotion([.rest(1)], MotionSetup { $0.policy.hasActiveWorkout = false }) { _ in
      #expect(await refusal(of: MotionUpdates.accelerometerBatches())?.code == CMErrorNotAuthorized)
      #expect(await refusal(of: MotionUpdates.deviceMotionBatches())?.code == CMErrorNotAuthorized)
    }
  }
}
