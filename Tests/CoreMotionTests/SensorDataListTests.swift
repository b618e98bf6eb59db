// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Testing

/// T54, S76, G32: a list of recorded samples can be enumerated and nothing else.
@Suite struct SensorDataListTests {
  private static func sample(_ index: Int) -> CMRecordedAccelerometerData {
    CMRecordedAccelerometerData(
      timestamp: Double(index), acceleration: CMAcceleration(x: 0, y: 0, z: -1), identifier: UInt64(index / 500),
      startDate: Date(timeIntervalSinceReferenceDate: Double(index)))
  }

  @Test func anEmptyListEndsAtOnce() {
    var iterator = NSFastEnumerationIterator(CMSensorDataList())
    #expect(iterator.next() == nil && iterator.next() == nil)
  }

  /// Elements come in order and as the class of S76, and each pass starts again.
  @Test func everyPassYieldsRecordedSamplesInOrder() {
    let list = CMSensorDataList {
      var index = 0
      return AnyIterator {
        defer { index += 1 }
        return index < 3 ? Self.sample(index) : nil
      }
    }
    for _ in 0..<2 {
      var iterator = NSFastEnumerationIterator(list)
      for index in 0..<3 {
        #expect((iterator.next() as? CMRecordedAccelerometerData)?.timestamp == Double(index))
      }
      #expect(iterator.next() == nil)
    }
  }

  /// Three days at 50 Hz are not built to read the first second.
  @Test func elementsAreMadeWhileTheyAreRead() {
    let made = Box(0)
    let list = CMSensorDataList {
      AnyIterator {
        made.with { $0 += 1 }
        return Self.sample(0)
      }
    }
    var iterator = NSFastEnumerationIterator(list)
    for _ in 0..<50 { _ = iterator.next() }
    #expect(made.value == 50)
  }

  /// Not a sequence in the module itself, or the clients' own conformance would collide.
  @Test func theModuleDoesNotMakeItASequence() {
    let list: Any = CMSensorDataList()
    #expect(!(list is any Sequence))
  }
}
