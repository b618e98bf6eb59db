// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHost
import MotionSensing
import MotionServices
import Testing

/// T65; S52, S69–S71: activities of a device that has an accelerometer.
@Suite struct ActivityManagerTests {
  private func start(_ manager: CMMotionActivityManager, into heard: Box<[CMMotionActivity]>) {
    manager.startActivityUpdates(to: serialQueue()) { activity in
      if let activity { heard.with { $0.append(activity) } }
    }
  }

  /// S69: the present activity first, which is unknown, then changes; walking is reported within five seconds and
  /// begins when it began.
  @Test func changesAreToldAsTheyAreRecognised() async throws {
    let walker = Walker(walks: [20..<60])
    let host = walker.bench.host
    let manager = host.run { CMMotionActivityManager() }
    #expect(host.run { CMMotionActivityManager.isActivityAvailable() })
    let heard = Box<[CMMotionActivity]>([])
    start(manager, into: heard)
    await walker.bench.clock.advance(by: .milliseconds(100))
    #expect(heard.value.count == 1 && heard.value[0].unknown && heard.value[0].confidence == .low)
    await walker.bench.clock.advance(by: .seconds(19))
    #expect(heard.value.last?.stationary == true)
    await walker.bench.clock.advance(by: .milliseconds(6000))
    let zero = host.date(of: SensorInstant(nanoseconds: 0))
    let walking = try #require(heard.value.first { $0.walking })
    #expect(abs(walking.startDate.timeIntervalSince(zero) - 20) < 4)
    await walker.bench.clock.advance(by: .seconds(55))
    #expect(heard.value.last?.stationary == true && heard.value.last?.walking == false)
    // Only changes: no two neighbours are the same.
    for (a, b) in zip(heard.value, heard.value.dropFirst()) {
      #expect(
        (a.walking, a.stationary, a.unknown) != (b.walking, b.stationary, b.unknown) || a.confidence != b.confidence)
    }
    manager.stopActivityUpdates()
    #expect(await eventually { host.device?.isRunning == false })
  }

  /// S69: a second start replaces the handler.
  @Test func aSecondStartReplacesTheFirst() async {
    let walker = Walker(walks: [0..<40])
    let manager = walker.bench.host.run { CMMotionActivityManager() }
    let (first, second) = (Box<[CMMotionActivity]>([]), Box<[CMMotionActivity]>([]))
    start(manager, into: first)
    await walker.bench.clock.advance(by: .seconds(1))
    let count = first.value.count
    start(manager, into: second)
    await walker.bench.clock.advance(by: .seconds(30))
    #expect(first.value.count == count && second.value.first?.unknown == true && second.value.contains { $0.walking })
    manager.stopActivityUpdates()
  }

  /// S70, S52: the past in order of time; nothing in the range is error 103.
  @Test func thePastCanBeAskedFor() async throws {
    let walker = Walker(walks: [30..<90])
    let host = walker.bench.host
    let manager = host.run { CMMotionActivityManager() }
    start(manager, into: Box([]))
    let begin = Date()
    await walker.bench.clock.advance(by: .seconds(150))
    let zero = host.date(of: SensorInstant(nanoseconds: 0))
    let queue = serialQueue()
    func query(_ start: Date, _ end: Date) async -> ([CMMotionActivity]?, UInt32?) {
      await withCheckedContinuation { done in
        manager.queryActivityStarting(from: start, to: end, to: queue) { activities, error in
          #expect(OperationQueue.current === queue)
          done.resume(returning: (activities, NSError.motionCode(error)))
        }
      }
    }
    let (found, error) = await query(begin - 60, zero + 150)
    let activities = try #require(found)
    #expect(error == nil && activities.map(\.startDate) == activities.map(\.startDate).sorted())
    let walk = try #require(activities.first { $0.walking })
    #expect(abs(walk.startDate.timeIntervalSince(zero) - 30) < 6)
    // S70: the first may have begun before the range. Its end is far from the wall clock's present, which would mean the
    // latest sample (D42).
    let end = zero.addingTimeInterval(zero.timeIntervalSinceNow > -60 ? 85 : 45)
    let (middle, _) = await query(end - 10, end)
    #expect(middle?.count == 1 && middle?.first?.walking == true)
    let (none, absent) = await query(begin - 86_400, begin - 3600)
    #expect(none == nil && absent == 103)
    let (_, mistake) = await query(begin, begin - 1)
    #expect(mistake == 107)
    manager.stopActivityUpdates()
  }
}
