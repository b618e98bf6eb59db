// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// What a device with six axes leaves out of the filter, so that its state fits two kilobytes: the magnetometer, what
// only a smoother reads, and two of the three models of motion. Scripts/build-device.sh compiles this instead of the
// files.
#if SixAxes
struct HeadingFilter {
  init(calibration: MagnetometerCalibration?, isCalibrated: Bool, delay: Float, delayVariance: Float) {}

  var knownHardIron: Vector3<Device> { .zero }
  var delay: Float { 0 }
  var angle: Float { 0 }
  var statedVariance: Float { Constant.unknownAzimuthVariance }
  func learnedDelay() -> (delay: Float, variance: Float) { (0, 0) }
  var isKnown: Bool { false }
  mutating func reset() {}
}

struct BlockRecord {
  var breaks: Int { get { 0 } set {} }
}

extension OrientationFilter {
  var keepsBlocks: Bool { false }
  func measureField() {}
  func recordSums() {}
  func finishRecord() {}
  func recordUnfinishedBlock() {}
}
#endif
