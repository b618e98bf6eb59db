// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing
import Testing

@testable import MotionHost

/// What can be handed to a host because no sensor gives it, and how a host tells that something has changed.
@Suite struct DetectorTests {
  private static func fall(_ second: Double) -> DetectedFall {
    DetectedFall(date: Date(timeIntervalSinceReferenceDate: second), resolution: .confirmed)
  }

  @Test func aHostHasNoDetectorsOfItsOwn() {
    let detectors = MotionHost().detectors
    #expect(detectors.falls == nil && detectors.movementDisorder == nil)
  }

  /// S87: of what happened without a listener the latest is kept, for one listener.
  @Test func theLatestUnheardFallIsKeptOnce() {
    let falls = FallReports()
    for second in [1.0, 2, 3] { falls.report(Self.fall(second)) }
    let first = Lock<[DetectedFall]>([])
    let second = Lock<[DetectedFall]>([])
    _ = falls.listen { fall in first.withLock { $0.append(fall) } }
    _ = falls.listen { fall in second.withLock { $0.append(fall) } }
    #expect(first.withLock { $0 } == [Self.fall(3)])
    #expect(second.withLock { $0 } == [])
  }

  /// A fall that could not be passed on is kept, but never in place of a later one, and not when others have heard it.
  @Test func aFallThatIsGivenBackIsKept() {
    let falls = FallReports()
    falls.giveBack(Self.fall(2))
    falls.giveBack(Self.fall(1))
    let heard = Lock<[DetectedFall]>([])
    let key = falls.listen { fall in heard.withLock { $0.append(fall) } }
    falls.giveBack(Self.fall(3))
    falls.stopListening(key)
    _ = falls.listen { fall in heard.withLock { $0.append(fall) } }
    #expect(heard.withLock { $0 } == [Self.fall(2)])
  }

  /// Each listener receives each fall once, until it stops.
  @Test func everyListenerHearsEachFallOnce() {
    let falls = FallReports()
    let heard = Lock<[Double]>([])
    let key = falls.listen { fall in heard.withLock { $0.append(fall.date.timeIntervalSinceReferenceDate) } }
    _ = falls.listen { fall in heard.withLock { $0.append(-fall.date.timeIntervalSinceReferenceDate) } }
    for second in [1.0, 1, 2] { falls.report(Self.fall(second)) }
    #expect(heard.withLock { $0 } == [1, -1, 2, -2])
    falls.stopListening(key)
    falls.stopListening(key)
    falls.report(Self.fall(3))
    #expect(heard.withLock { $0 } == [1, -1, 2, -2, -3])
  }

  @Test func changesOfPolicyAndDetectorsAreTold() {
    let host = MotionHost()
    let count = Lock(0)
    let observation = host.observeChanges { count.withLock { $0 += 1 } }
    host.policy.hasActiveWorkout = false
    host.detectors.falls = FallReports()
    #expect(count.withLock { $0 } == 2)
    observation.remove()
    observation.remove()
    host.policy.hasActiveWorkout = true
    #expect(count.withLock { $0 } == 2)
  }

  /// An observer finds the change made, and may look at the host.
  @Test func anObserverSeesTheNewState() {
    let host = MotionHost()
    let seen = Lock<[Bool]>([])
    let observation = host.observeChanges { [weak host] in
      if let host { seen.withLock { $0.append(host.policy.allowsMotion) } }
    }
    host.policy.authorization = .denied
    host.policy.authorization = .authorized
    #expect(seen.withLock { $0 } == [false, true])
    observation.remove()
  }
}
