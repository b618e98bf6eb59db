// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import MotionServices
import MotionTools

/// A phone's recording, split into what the estimator may see and what the phone itself had computed.
struct PhoneSamples: Sendable {
  /// Samples in memory at most: half a day of four streams at 100 Hz, far more than a trial.
  private static let largestCount = 20_000_000

  let info: SensorInfo
  /// Accelerometer, gyroscope and magnetometer, in the order of time.
  private(set) var raw: [SensorSample] = []
  /// Apple's own output, in the order of time.
  private(set) var apples: [MotionRow] = []
  private(set) var gyroscopeCount = 0
  /// The time of the first gyroscope sample.
  private(set) var start: SensorInstant

  /// Reads all of a recording; with `hasApples` also what the phone computed.
  init(path: String, hasApples: Bool) throws {
    var options = RecordingOptions()
    options.motion = hasApples ? .recorded : .computed
    let recording = try Recording.open(path: path, options: options)
    info = recording.info
    start = recording.start
    let reader = try recording.makeReader()
    while let sample = try reader.next() {
      switch sample {
      case .motion(let motion): apples.append(motion)
      default: raw.append(sample)
      }
      if sample.kinds.contains(.gyroscope) {
        if gyroscopeCount == 0 { start = sample.time }
        gyroscopeCount += 1
      }
      guard raw.count + apples.count <= Self.largestCount else {
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
