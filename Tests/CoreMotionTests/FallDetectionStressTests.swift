// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import Testing

/// Falls, permissions, delegates and managers that come and go at once. `make tsan` runs it under the thread sanitizer.
@Suite struct FallDetectionStressTests {
  final class Delegate: NSObject, CMFallDetectionDelegate {
    let dates = Box<[Date]>([])
    func fallDetectionManager(
      _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent,
      completionHandler handler: @escaping @Sendable () -> Void
    ) {
      dates.with { $0.append(event.date) }
      handler()
    }
  }

  /// Whatever happens meanwhile, no fall is reported twice, and the last one arrives at the end.
  @Test func nothingIsToldTwiceAndTheLastFallArrives() async {
    let host = MotionHost()
    let falls = FallReports()
    host.detectors.falls = falls
    let delegate = Delegate()
    let keeper = Box<CMFallDetectionManager?>(host.run { CMFallDetectionManager() })
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for second in 0..<500 {
          falls.report(DetectedFall(date: Date(timeIntervalSinceReferenceDate: Double(second)), resolution: .confirmed))
        }
      }
      group.addTask {
        for round in 0..<200 { host.policy.authorization = round.isMultiple(of: 2) ? .denied : .authorized }
      }
      group.addTask {
        for _ in 0..<200 { keeper.value?.delegate = keeper.value?.delegate == nil ? delegate : nil }
      }
      group.addTask {
        for _ in 0..<50 { keeper.with { $0 = host.run { CMFallDetectionManager() } } }
      }
      group.addTask {
        for round in 0..<50 { host.detectors.falls = round.isMultiple(of: 2) ? nil : falls }
      }
    }
    host.policy.authorization = .authorized
    host.detectors.falls = falls
    keeper.value?.delegate = delegate
    let last = Date(timeIntervalSinceReferenceDate: 1000)
    falls.report(DetectedFall(date: last, resolution: .confirmed))
    #expect(await eventually { delegate.dates.value.last == last })
    let dates = delegate.dates.value
    #expect(Set(dates).count == dates.count)
  }
}
