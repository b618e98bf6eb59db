// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

@Suite struct OpenSenseWriterTests {
  /// A device that turns about z at `speed` rad/s, sampled every `interval` from `start` to `end`, all in seconds;
  /// `isFlipped` writes every other quaternion with the opposite sign.
  private func turning(
    _ name: String, speed: Double, from start: Double, to end: Double, every interval: Double, isFlipped: Bool = false
  ) -> OpenSenseWriter.Segment {
    var step = 0
    return OpenSenseWriter.Segment(name: name) {
      let time = start + Double(step) * interval
      guard time <= end + 1e-9 else { return nil }
      let sign: Double = isFlipped && step % 2 == 1 ? -1 : 1
      step += 1
      let half = speed * time / 2
      return WriterKit.motion(
        Int64((time * 1e9).rounded()), w: sign * Scalar.cos(half), x: 0, y: 0, z: sign * Scalar.sin(half))
    }
  }

  private func cells(_ sink: MemoryByteSink) -> [[[Double]]] {
    sink.lines.dropFirst(6).filter { !$0.isEmpty }.map { row in
      row.split(separator: "\t").map { $0.split(separator: ",").compactMap { Double($0) } }
    }
  }

  @Test func theHeaderIsThatOfTheFormatsPage() throws {
    let sink = MemoryByteSink()
    let segments = [
      turning("pelvis", speed: 0, from: 0, to: 0.01, every: 0.01),
      turning("torso", speed: 0, from: 0, to: 0.01, every: 0.01),
    ]
    let report = try OpenSenseWriter(sink, segments: segments).run()
    #expect(
      sink.text == """
        DataRate=100.000000
        DataType=Quaternion
        version=3
        OpenSimVersion=4.5
        endheader
        time\tpelvis_imu\ttorso_imu
        0.0\t1.0,0.0,0.0,0.0\t1.0,0.0,0.0,0.0
        0.01\t1.0,0.0,0.0,0.0\t1.0,0.0,0.0,0.0

        """)
    #expect(report.rows == 2 && report.references == [.xMagneticNorth] && sink.isFinished)
  }

  @Test func devicesOfDifferentRatesMeetOnOneGridWhereAllHaveSamples() throws {
    let sink = MemoryByteSink()
    let report = try OpenSenseWriter(
      sink,
      segments: [
        turning("a", speed: 1, from: 0, to: 2, every: 0.013), turning("b", speed: -2, from: 0.5, to: 1.5, every: 0.01),
      ], rate: 50
    ).run()
    // From 0.5 s to 1.5 s, both ends included.
    #expect(report.rows == 51)
    for (index, row) in cells(sink).enumerated() {
      let elapsed = Double(index) / 50
      #expect(row[0] == [elapsed])
      for (cell, speed) in zip(row[1...], [1.0, -2]) {
        let half = speed * (elapsed + 0.5) / 2
        #expect(abs(cell[0] * Scalar.cos(half) + cell[3] * Scalar.sin(half)) > 1 - 1e-9)
      }
    }
  }

  /// A device that was away: nothing tells how it turned, and a clock that was set must not fill the disk.
  @Test(arguments: [1.5, 1.7e9])
  func whereADevicePausesThereAreNoRows(pause: Double) throws {
    let sink = MemoryByteSink()
    var step = 0
    let segment = OpenSenseWriter.Segment(name: "pelvis") {
      guard step < 20 else { return nil }
      let time = Double(step) * 0.1 + (step < 10 ? 0 : pause)
      step += 1
      return WriterKit.motion(Int64((time * 1e9).rounded()), w: 1, x: 0, y: 0, z: 0)
    }
    let report = try OpenSenseWriter(sink, segments: [segment], rate: 10).run()
    #expect(report.rows == 20 && report.paused == Int((pause * 10).rounded()))
    let times = cells(sink).map { $0[0][0] }
    #expect(times.count == 20 && abs(times[9] - 0.9) < 1e-9 && abs(times[10] - (1 + pause)) < 1e-6)
  }

  @Test func theSignFollowsThatOfTheRowBefore() throws {
    let sink = MemoryByteSink()
    _ = try OpenSenseWriter(
      sink, segments: [turning("a", speed: 3, from: 0, to: 5, every: 0.01, isFlipped: true)]
    ).run()
    let quaternions = cells(sink).map { $0[1] }
    #expect(quaternions.count == 501)
    for (one, next) in zip(quaternions, quaternions.dropFirst()) {
      #expect(zip(one, next).reduce(0) { $0 + $1.0 * $1.1 } > 0.99)
    }
  }

  @Test func devicesWithoutCommonTimeGiveNoRows() throws {
    let report = try OpenSenseWriter(
      MemoryByteSink(),
      segments: [
        turning("a", speed: 1, from: 0, to: 1, every: 0.01), turning("b", speed: 1, from: 2, to: 3, every: 0.01),
      ]
    ).run()
    #expect(report.rows == 0)
  }

  @Test(arguments: [["pelvis", "pelvis"], ["left leg"], [""], []])
  func bodiesThatCannotBeToldApartAreRefused(names: [String]) {
    let segments = names.map { name in OpenSenseWriter.Segment(name: name) { nil } }
    #expect(throws: SensorError.self) { try OpenSenseWriter(MemoryByteSink(), segments: segments) }
  }
}
