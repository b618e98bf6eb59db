// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHistory
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import Testing

/// T54; S73–S76, D39: the recorder of the accelerometer, in memory and in the file of `motionctl history record`.
@Suite struct SensorRecorderTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "recorder-\(UUID().uuidString)").path
  private var path: String { folder + "/history.sqlite" }

  /// A device whose samples count up: 50 Hz for some seconds, at once.
  private func device(seconds: Int, rate: Int = 50) -> MotionHost {
    let samples = (0..<(seconds * rate)).map { index in
      SensorSample.accelerometer(
        AccelerometerSample(
          time: SensorInstant(nanoseconds: Int64(index) * 1_000_000_000 / Int64(rate)),
          reading: Vector3(x: Double(index % 10) / 10, y: 0, z: -1), unit: .reversedGravity))
    }
    let info = SensorInfo(
      name: "recording", origin: .recording, pacing: .onDemand,
      timeLine: .recorded(start: SensorInstant(nanoseconds: 0)),
      channels: [.init(kind: .accelerometer, rates: [Double(rate)])])
    return MotionHost(device: ListedSource(info: info, samples: samples), clock: FreeRunningClock())
  }

  private struct ListedSource: SensorSource {
    let info: SensorInfo
    let samples: [SensorSample]
    func run(_ session: SensorSession) throws {
      for sample in samples where session.resumeAfter.map({ sample.time > $0 }) ?? true {
        try session.wait(until: sample.time)
        try session.deliver(sample)
      }
    }
  }

  private func all(_ list: CMSensorDataList?) -> [CMRecordedAccelerometerData] {
    guard let list else { return [] }
    var iterator = NSFastEnumerationIterator(list)
    var samples: [CMRecordedAccelerometerData] = []
    while let sample = iterator.next() as? CMRecordedAccelerometerData { samples.append(sample) }
    return samples
  }

  private func recorded(_ host: MotionHost, for seconds: TimeInterval) -> CMSensorRecorder {
    let recorder = host.run { CMSensorRecorder() }
    recorder.recordAccelerometer(forDuration: seconds)
    waitUntil { !host.isDeviceRunning }
    return recorder
  }

  /// S73: 50 Hz whatever the sensor's rate is, for the time that was asked for.
  @Test(arguments: [50, 100, 200]) func aRequestRecordsAtFiftyHertzForItsTime(_ rate: Int) throws {
    let recorder = recorded(device(seconds: 60, rate: rate), for: 30)
    let samples = all(recorder.accelerometerData(from: Date(timeIntervalSinceNow: -60), to: Date() + 3600))
    #expect(samples.count == 1501)
    for (a, b) in zip(samples, samples.dropFirst()) {
      #expect(
        abs(b.timestamp - a.timestamp - 0.02) < 1e-5 && abs(b.startDate.timeIntervalSince(a.startDate) - 0.02) < 1e-5)
    }
    #expect(samples.allSatisfy { abs($0.acceleration.z + 1) < 0.0005 })
  }

  /// S74: both dates are included, exactly; a range without samples gives an empty list and not nil.
  @Test func bothEndsAreIncluded() throws {
    let recorder = recorded(device(seconds: 60), for: 60)
    let samples = all(recorder.accelerometerData(from: .now - 60, to: .now + 3600))
    try #require(samples.count == 3000)
    let some = all(recorder.accelerometerData(from: samples[700].startDate, to: samples[1400].startDate))
    #expect(some.count == 701 && some.first?.timestamp == 14 && some.last?.timestamp == 28)
    // Between two samples, and not near the present (D42).
    let (low, high) = (samples[2900].startDate + 0.001, samples[2901].startDate - 0.001)
    let list = try #require(recorder.accelerometerData(from: low, to: high))
    #expect(all(list).count == 0)
  }

  /// S74: at most twelve hours at once, and no range that ends before it begins.
  @Test func aRangeIsAtMostTwelveHours() {
    let recorder = recorded(device(seconds: 10), for: 10)
    let now = Date()
    #expect(recorder.accelerometerData(from: now - 43_200, to: now) != nil)
    #expect(recorder.accelerometerData(from: now - 43_201, to: now) == nil)
    #expect(recorder.accelerometerData(from: now, to: now - 1) == nil)
    #expect(recorder.accelerometerData(from: Date(timeIntervalSinceNow: .nan), to: now) == nil)
  }

  /// S75: a batch has one number, the numbers rise, and a number is a place from which to go on.
  @Test func identifiersNameBatchesAndRise() throws {
    let recorder = recorded(device(seconds: 35), for: 100)
    var samples: [CMRecordedAccelerometerData] = []
    // The last batch is written when the source has said that it is over.
    waitUntil {
      samples = all(recorder.accelerometerData(from: .now - 60, to: .now + 3600))
      return samples.count >= 1750
    }
    #expect(Dictionary(grouping: samples, by: \.identifier).mapValues(\.count) == [1: 500, 2: 500, 3: 500, 4: 250])
    #expect(samples.map(\.identifier) == samples.map(\.identifier).sorted())
  }

  /// S73: nothing was asked for, nothing is there; a duration that makes no sense asks for nothing.
  @Test func withoutARequestThereIsNoList() {
    let host = device(seconds: 10)
    let recorder = host.run { CMSensorRecorder() }
    let durations: [TimeInterval] = [0, -5, .nan, -.infinity]
    for duration in durations { recorder.recordAccelerometer(forDuration: duration) }
    #expect(recorder.accelerometerData(from: .now - 60, to: .now) == nil && !host.isDeviceRunning)
    #expect(host.run { CMSensorRecorder.isAccelerometerRecordingAvailable() })
    #expect(MotionHost().run { !CMSensorRecorder.isAccelerometerRecordingAvailable() })
  }

  /// Without permission nothing is recorded and nothing is handed out.
  @Test func withoutPermissionThereIsNothing() {
    let host = device(seconds: 10)
    let recorder = recorded(host, for: 10)
    #expect(recorder.accelerometerData(from: .now - 60, to: .now + 60) != nil)
    host.policy.authorization = .denied
    #expect(recorder.accelerometerData(from: .now - 60, to: .now + 60) == nil)
    #expect(host.run { CMSensorRecorder.authorizationStatus() } == .denied)
  }

  /// D40: what the recorder of this computer has kept is there for a program without sensors of its own, too, and
  /// without a request.
  @Test func theRecordersFileIsRead() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let holder = WriterLock.Holder(source: "iio:", recordsAccelerometer: true, since: Date())
    let store = try MotionStore.open(writing: path, as: holder).store
    var batcher = AccelerationBatcher(range: nil)
    var rows = HistoryRows()
    for index in 0..<30_000 {
      let sample = AccelerometerSample(
        time: SensorInstant(microseconds: Int64(index) * 20_000), specificForce: Vector3(x: 0, y: 0, z: standardGravity)
      )
      if let batch = batcher.append(sample) { rows.batches.append(batch) }
    }
    let origin = Int64((Date().timeIntervalSince1970 - 7200) * 1e6)
    try store.write(rows, source: "iio:", line: TimeLine(clock: "boot", origin: origin), durably: true)
    let host = MotionHost()
    host.historyFile = HistoryFile(path: path, isNamed: false)
    let list = host.run { CMSensorRecorder() }.accelerometerData(from: .now - 7300, to: .now)
    let samples = all(list)
    #expect(samples.count == 30_000 && samples.last?.identifier == 60)
    #expect(samples.allSatisfy { abs($0.acceleration.z + 1) < 0.0005 && $0.acceleration.x == 0 })
    #expect(all(list).count == 30_000)
  }

  /// D40: somebody's file at the place of the history is refused, in a sentence, and stays as it is.
  @Test func aFileThatIsNoHistoryIsRefused() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let diary = Data("dear diary\n".utf8)
    try diary.write(to: URL(fileURLWithPath: path))
    let host = device(seconds: 10)
    host.historyFile = HistoryFile(path: path, isNamed: true)
    let pedometer = host.run { CMPedometer() }
    let answer = await withCheckedContinuation { continuation in
      pedometer.queryPedometerData(from: .now - 60, to: .now) { data, error in
        continuation.resume(returning: data == nil ? error?.localizedDescription : "there are data")
      }
    }
    #expect(answer?.contains("This is a text file, and no history of OpenCoreMotion") == true)
    #expect(host.run { CMSensorRecorder() }.accelerometerData(from: .now - 60, to: .now) == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["history.sqlite"])
    #expect(FileManager.default.contents(atPath: path) == diary)
  }
}

extension MotionHost {
  fileprivate var isDeviceRunning: Bool { device?.isRunning ?? false }
}
