// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionSensing
import MotionTesting
import Testing

@testable import MotionStreams

/// What a stream throws, and what it only notices.
@Suite struct StreamErrorTests {
  private static let munich = GeographicLocation(latitudeDegrees: 48.14, longitudeDegrees: 11.58, year: 2026.5)

  @Test func aServiceThatIsMissingThrowsAtOnceWithASentence() async throws {
    await withoutMotion { _ in
      let errors = [
        await refusal(of: MotionUpdates.device()), await refusal(of: MotionUpdates.accelerometer()),
        await refusal(of: MotionUpdates.gyroscope()), await refusal(of: MotionUpdates.magnetometer()),
        await refusal(of: MotionUpdates.headphones()), await refusal(of: MotionUpdates.headphoneStatus()),
        await refusal(of: MotionUpdates.headphoneActivity()), await refusal(of: MotionUpdates.steps()),
        await refusal(of: MotionUpdates.walkingEvents()), await refusal(of: MotionUpdates.activity()),
        await refusal(of: MotionUpdates.relativeAltitude()), await refusal(of: MotionUpdates.absoluteAltitude()),
        await refusal(of: MotionUpdates.water()), await refusal(of: MotionUpdates.accelerometerBatches()),
        await refusal(of: MotionUpdates.deviceMotionBatches()),
      ]
      for (index, error) in errors.enumerated() {
        #expect(
          error.map { !$0.isNotice && $0.sentence.hasSuffix(".") } == true, "\(index): \(String(describing: error))")
      }
    }
  }

  @Test func withoutPermissionAStreamThrows() async throws {
    try await withMotion("walk 5 s", MotionSetup { $0.policy.authorization = .denied }) {
      (_: TestDevice) async throws in
      #expect(await refusal(of: MotionUpdates.device())?.code == CMErrorNotAuthorized)
      #expect(await refusal(of: MotionUpdates.steps())?.code == CMErrorMotionActivityNotAuthorized)
      #expect(await refusal(of: MotionUpdates.activity())?.code == CMErrorMotionActivityNotAuthorized)
    }
  }

  @Test func anUnpluggedSensorEndsTheStreamBehindItsSamplesAndANewLoopGoesOn() async throws {
    try await withMotion([.rest(10)]) { (device: TestDevice) async throws in
      var iterator = MotionUpdates.accelerometer().makeAsyncIterator()
      await device.advance(by: .milliseconds(100))
      await device.unplug()
      var count = 0
      await #expect(throws: MotionError.self) { while try await iterator.next() != nil { count += 1 } }
      #expect(count >= 10)
      #expect(try await iterator.next() == nil)
      await device.replug()
      var again = MotionUpdates.accelerometer().makeAsyncIterator()
      await device.advance(by: .seconds(1))
      #expect(try await again.next() != nil)
    }
  }

  @Test func aNoticeIsToldAndDoesNotEndTheStream() async throws {
    try await withMotion([.rest(10)]) { (device: TestDevice) async throws in
      let notices = Box<[MotionError]>([])
      let stream = MotionUpdates.device(.xTrueNorth, onNotice: { notice in notices.with { $0.append(notice) } })
      var iterator = stream.makeAsyncIterator()
      await device.advance(by: .seconds(1))
      #expect(notices.value.map(\.code) == [CMErrorTrueNorthNotAvailable])
      #expect(notices.value.allSatisfy { $0.isNotice && !$0.sentence.isEmpty })
      device.location = Self.munich
      await device.advance(by: .seconds(4))
      let sample = try #require(try await iterator.next())
      #expect(sample.heading != nil)
    }
  }

  @Test func anErrorIsAnNSErrorOfCoreMotionToo() throws {
    let error: any Error = MotionError(CMErrorNotAuthorized, "Not permitted.")
    #expect((error as NSError).domain == CMErrorDomain)
    #expect((error as NSError).code == Int(CMErrorNotAuthorized.rawValue))
    #expect(error.localizedDescription == "Not permitted.")
  }
}
