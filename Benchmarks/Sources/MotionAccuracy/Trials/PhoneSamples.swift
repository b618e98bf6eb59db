// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionRecording
import MotionSensing
import MotionServices
import MotionTools

/// A phone's raw sensors.
struct PhoneSamples: Sendable {
  /// Samples in memory at most: half a day of four streams at 100 Hz, far more than a trial.
  private static let largestCount = 20_000_000

  let info: SensorInfo
  /// Accelerometer, gyroscope and magnetometer, in the order of time.
  private(set) var raw: [SensorSample] = []
  private(set) var gyroscopeCount = 0
  /// The time of the first gyroscope sample.
  private(set) var start: SensorInstant

  /// Where the raw sensors of a trial's folder lie: in it, or in the folder `mcap` of all data; nil = nowhere.
  static func recording(of folder: String) -> String? {
    let url = URL(fileURLWithPath: folder).standardized
    let (name, set) = (url.lastPathComponent, url.deletingLastPathComponent())
    let places = [
      url.appendingPathComponent("recording.csv"),
      set.appendingPathComponent("../mcap/\(name).mcap"),
      set.appendingPathComponent("../../mcap/\(set.lastPathComponent)_\(name).mcap"),
    ]
    return places.map(\.standardized.path).first { FileManager.default.fileExists(atPath: $0) }
  }

  /// Reads all of the recording of a trial.
  init(folder: String) throws {
    guard let path = Self.recording(of: folder) else {
      throw SensorError(.notFound, "The trial has no recording.", at: .init(file: folder))
    }
    let recording = try Recording.open(path: path)
    info = recording.info
    start = recording.start
    let reader = try recording.makeReader()
    while let sample = try reader.next() {
      raw.append(sample)
      if sample.kinds.contains(.gyroscope) {
        if gyroscopeCount == 0 { start = sample.time }
        gyroscopeCount += 1
      }
      guard raw.count <= Self.largestCount else {
        throw SensorError(
          .limitExceeded, "The recording has more than \(Self.largestCount) samples, too many for a trial.",
          at: .init(file: path))
      }
    }
    guard gyroscopeCount > 0, info.kinds.contains(.accelerometer) else {
      throw SensorError(
        .unsupported, "The recording needs an accelerometer and a gyroscope to be measured.", at: .init(file: path))
    }
  }

  /// The state of motion at each gyroscope sample, as the library's users get it: orientation filter and magnetometer
  /// calibration, started without any knowledge. And the ns of processor time that all updates took.
  func motions(
    usesMagnetometer: Bool, smooths: Bool
  ) throws -> (motions: [DeviceMotion], nanoseconds: Double) {
    var motions: [DeviceMotion] = []
    motions.reserveCapacity(gyroscopeCount)
    let last = run(usesMagnetometer: usesMagnetometer, smooths: smooths) { motions.append($0) }
    let nanoseconds = try ProcessorTime.nanoseconds(expecting: last) {
      run(usesMagnetometer: usesMagnetometer, smooths: smooths) { _ in }
    }
    return (motions, nanoseconds)
  }

  /// Returns the last attitude.
  private func run(
    usesMagnetometer: Bool, smooths: Bool, _ body: (DeviceMotion) -> Void
  ) -> Rotation<Device, EastNorthUp>? {
    var estimator = OfflineEstimator(info: info, solution: usesMagnetometer ? .nineAxis : .sixAxis, smooths: smooths)
    var last: Rotation<Device, EastNorthUp>?
    func take(_ motion: DeviceMotion) {
      last = (usesMagnetometer ? motion.nineAxis : motion.sixAxis)?.attitude
      body(motion)
    }
    for sample in raw {
      if let motion = estimator.update(sample) { take(motion) }
      while let motion = estimator.nextSmoothed() { take(motion) }
    }
    if let motion = estimator.finish() { take(motion) }
    while let motion = estimator.nextSmoothed() { take(motion) }
    return last
  }
}
