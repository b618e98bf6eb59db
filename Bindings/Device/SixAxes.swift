// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// What a device with six axes leaves out of the filter, so that its state fits two kilobytes: the magnetometer, what
// only a smoother reads, two of the three models of motion, and the doubt about forces. Scripts/build-device.sh
// compiles this instead of the files.
#if SixAxes
struct HeadingFilter {
  init(calibration: MagnetometerCalibration?, isCalibrated: Bool, delay: Float, delayVariance: Float) {}

  var knownHardIron: Vector3<Device> { .zero }
  var delay: Float { 0 }
  var angle: Float { 0 }
  var statedVariance: Float { Constant.unknownAzimuthVariance }
  func learnedDelay() -> (delay: Float, variance: Float) { (0, 0) }
  var isKnown: Bool { false }
  mutating func reset(forgetsIron: Bool = false) {}
}

struct BlockRecord {
  var breaks: Int {
    get { 0 }
    set {}
  }
}

struct ForceDoubt {
  var variance: Float { 0 }
  mutating func reset(to hand: MotionModel) {}
  mutating func add(_ error: ErrorVector) {}
  mutating func mix(_ hand: borrowing MotionModel, share: Float) {}
  mutating func predict(_ block: borrowing MotionModel.Block) {}
  mutating func update(
    hand: inout MotionModel, _ shared: inout SharedErrors, mean: ErrorVector, time: Float
  ) {}
}

extension OrientationFilter {
  var keepsBlocks: Bool { false }
  func measureField() {}
  func recordSums() {}
  func finishRecord() {}
  func recordUnfinishedBlock() {}
}
#endif
