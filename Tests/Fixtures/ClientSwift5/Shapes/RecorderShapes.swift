// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion

// The idiom that makes a list enumerable (G32).
extension CMSensorDataList: @retroactive Sequence {
  public typealias Iterator = NSFastEnumerationIterator
  public func makeIterator() -> NSFastEnumerationIterator {
    return NSFastEnumerationIterator(self)
  }
}

@MainActor
func recorderShapes(_ runner: Runner) {
  runner.begin("the recorder's list in a loop") { done in
    let recorder = CMSensorRecorder()
    guard CMSensorRecorder.isAccelerometerRecordingAvailable() else {
      done(false)
      return recorder
    }
    recorder.recordAccelerometer(forDuration: 1)
    DispatchQueue.main.asyncAfter(deadline: .now() + 2.5) {
      var count = 0
      var last: UInt64 = 0
      var isRising = true
      if let list = recorder.accelerometerData(from: Date(timeIntervalSinceNow: -60), to: Date()) {
        for datum in list {
          if let accelerometer = datum as? CMRecordedAccelerometerData {
            isRising = isRising && accelerometer.identifier >= last && accelerometer.startDate <= Date()
            last = accelerometer.identifier
            count += 1
          }
        }
      }
      done(isRising && (45...55).contains(count) && CMSensorRecorder.authorizationStatus() == .authorized)
    }
    return recorder
  }
  runner.check("a list as a sequence") {
    let list = CMSensorDataList()
    let samples = list.compactMap { $0 as? CMRecordedAccelerometerData }
    for case let sample as CMRecordedAccelerometerData in list { print(sample.timestamp) }
    return samples.isEmpty && list.enumerated().map { $0.offset }.isEmpty
  }
}
