// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import MotionServices
import SimulatedSources

@testable import MotionAnalysis

/// Both streams of one recording, as a batched source delivers them.
struct SwingStreams: Sendable {
  var accelerometer: [AccelerometerSample] = []
  var motion: [DeviceMotion] = []

  /// The first `seconds` of `simulate:swing`: 800 Hz, fused from every gyroscope sample, then reduced to 200 Hz.
  init(seconds: Double, options: [String: String] = [:]) throws {
    let source = try SimulatedSource(scenario: "swing", options: options)
    let samples = Lock<[InertialSample]>([])
    let session = SensorSession(
      clock: FreeRunningClock(), request: SensorRequest(kinds: .inertial, interval: .zero)
    ) { sample, _ throws(SourceStopped) in
      if sample.time.seconds >= seconds { throw SourceStopped() }
      if case .inertial(let inertial) = sample { samples.withLock { $0.append(inertial) } }
    }
    // It ends by the sink's own stop.
    try? source.run(session)

    var estimator = DeviceMotionEstimator(info: source.info)
    estimator.solutions = .sixAxis
    var decimator = MotionDecimator(rate: 800)
    for sample in samples.withLock({ $0 }) {
      accelerometer.append(sample.accelerometer)
      if let state = estimator.update(.inertial(sample)) { decimator.update(state) { motion.append($0) } }
    }
    decimator.finish { motion.append($0) }
  }

  init() {}

  /// Sample by sample in order of time; of two at one time the accelerometer first.
  func swings(_ parameters: SwingDetector.Parameters = .init()) -> [Swing] {
    var detector = SwingDetector(parameters: parameters)
    var swings: [Swing] = []
    var next = motion.startIndex
    for sample in accelerometer {
      while next < motion.endIndex, motion[next].time < sample.time {
        swings += detector.update(motion[next])
        next += 1
      }
      swings += detector.update(sample)
    }
    for state in motion[next...] { swings += detector.update(state) }
    return swings + detector.finish()
  }

  /// Batch by batch, cut every `length` seconds; of each batch one stream first and then the other.
  func swings(inBatchesOf length: Double, motionFirst: Bool) -> [Swing] {
    var detector = SwingDetector()
    var swings: [Swing] = []
    let end = max(accelerometer.last?.time.seconds ?? 0, motion.last?.time.seconds ?? 0)
    var (a, m) = (0, 0)
    var border = length
    while border <= end + length {
      func takeMotion() {
        while m < motion.count, motion[m].time.seconds < border {
          swings += detector.update(motion[m])
          m += 1
        }
      }
      if motionFirst { takeMotion() }
      while a < accelerometer.count, accelerometer[a].time.seconds < border {
        swings += detector.update(accelerometer[a])
        a += 1
      }
      takeMotion()
      border += length
    }
    return swings + detector.finish()
  }
}

/// The real strokes, as `motionctl` reads them.
func realSwingSamples() throws -> [AccelerometerSample] {
  let recording = try Recording.open(
    path: WaterData.folder + "/swing_applewatch/forehand-seven-shots-accelerometer.csv")
  let reader = try recording.makeReader()
  var samples: [AccelerometerSample] = []
  while let sample = try reader.next() {
    if case .accelerometer(let sample) = sample { samples.append(sample) }
  }
  return samples
}
