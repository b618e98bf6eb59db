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
  runner.check("the recorder's list in a loop") {
    let recorder = CMSensorRecorder()
    if CMSensorRecorder.isAccelerometerRecordingAvailable() {
      recorder.recordAccelerometer(forDuration: 20 * 60)
    }
    var count = 0
    if let list = recorder.accelerometerData(from: Date(timeIntervalSinceNow: -60), to: Date()) {
      for datum in list {
        if let accelerometer = datum as? CMRecordedAccelerometerData {
          print(accelerometer.startDate, accelerometer.identifier, accelerometer.acceleration.x)
          count += 1
        }
      }
    }
    return count == 0 && CMSensorRecorder.authorizationStatus() == .authorized
  }
  runner.check("a list as a sequence") {
    let list = CMSensorDataList()
    let samples = list.compactMap { $0 as? CMRecordedAccelerometerData }
    for case let sample as CMRecordedAccelerometerData in list { print(sample.timestamp) }
    return samples.isEmpty && list.enumerated().map { $0.offset }.isEmpty
  }
}
