// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import MotionHost
public import MotionSensing

extension RecordingDescription {
  /// What a recording of a source says of itself; `application` is the program that records, with its version.
  ///
  /// Of the source's address it holds what may be given away: no folder of this computer, no address of a device.
  ///
  /// The offset to the wall clock is measured here, once: a wall clock that is set while it is recorded moves nothing.
  public init(recording entry: SourceCatalog.Entry, application: String? = nil) throws(SensorError) {
    let calibrated = entry.source as? CalibratedSource
    let source = calibrated?.base ?? entry.source
    self.init(info: source.info)
    self.source = entry.uri.withoutPrivateParts.description
    self.application = application
    operatingSystem = ProcessInfo.processInfo.operatingSystemVersionString
    if let replay = source as? ReplaySource { describe(replay) }
    // On the clock of the computer, at its own speed; the time line of a recording or a simulation at full speed
    // belongs to no clock.
    if source.info.timeLine == .session, entry.clock is MonotonicClock, entry.rate == 1 {
      clock = .monotonic
      wallOffset = Self.wallOffset()
    }
    if var file = calibrated?.file {
      // A serial number is no part of a recording, which may be given away.
      file.device = source.info.name
      calibration = Array(try file.encoded())
    }
  }

  /// What a recording said of itself goes on in the recording of its replay.
  private mutating func describe(_ replay: ReplaySource) {
    sourceFormat = replay.recording.format.rawValue
    guard let recorded = replay.recording.recordedDescription else { return }
    (deviceModel, isSimulated, calibration) = (recorded.deviceModel, recorded.isSimulated, recorded.calibration)
    (gravityConstant, sign) = (recorded.gravityConstant, recorded.sign)
    if case .recorded = replay.info.timeLine { (clock, wallOffset) = (recorded.clock, recorded.wallOffset) }
  }

  /// CLOCK_REALTIME less CLOCK_MONOTONIC: the reading of the one between two close readings of the other.
  private static func wallOffset() -> SensorDuration {
    let monotonic = MonotonicClock()
    var best: (width: SensorDuration, offset: SensorDuration)?
    for _ in 0..<5 {
      var wall = timespec()
      let before = monotonic.now
      clock_gettime(CLOCK_REALTIME, &wall)
      let after = monotonic.now
      let width = after - before
      let middle = before.nanoseconds + width.nanoseconds / 2
      let offset = SensorDuration(nanoseconds: Int64(wall.tv_sec) * 1_000_000_000 + Int64(wall.tv_nsec) - middle)
      if best.map({ width < $0.width }) ?? true { best = (width, offset) }
    }
    return best?.offset ?? .zero
  }
}
