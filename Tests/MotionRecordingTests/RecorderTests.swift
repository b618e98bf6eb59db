// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import MotionTesting
import Testing

/// The thread between a source and its recording.
@Suite struct RecorderTests {
  private static func sample(_ index: Int) -> RecordedItem {
    .sample(
      .gyroscope(
        GyroscopeSample(
          time: SensorInstant(nanoseconds: Int64(index) * 1_000_000),
          angularVelocity: Vector3(x: Double(index), y: 0, z: 0))))
  }

  @Test func whatWasHandedOverIsWrittenInOrderAndFinished() throws {
    let log = WriterLog()
    let recorder = Recorder(writer: LoggingWriter(log), waitsForRoom: true, capacity: 100)
    let items = (0..<5000).map(Self.sample)
    for item in items { recorder.append(item) }
    try recorder.finish()
    #expect(log.items == items)
    #expect(log.isFinished)
    #expect(recorder.progress.lost == 0)
    #expect(recorder.progress.streams.map(\.samples) == [5000])
    #expect(abs((recorder.progress.streams.first?.rate ?? 0) - 1000) < 1e-9)
  }

  /// A live source must never wait for a disk: what finds no room is counted, and the recording says so itself.
  @Test func aWriterThatHangsHoldsNoLiveSourceUp() throws {
    let log = WriterLog()
    let gate = WakeSignal()
    let recorder = Recorder(writer: LoggingWriter(log, gate: gate), waitsForRoom: false, capacity: 10)
    for index in 0..<1000 { recorder.append(Self.sample(index)) }
    gate.signal()
    try recorder.finish()
    let lost = recorder.progress.lost
    #expect(lost > 0)
    var gapsLost = 0
    for case .event(.gap(_, let service, let duration, let count), _) in log.items {
      #expect(service == "recorder")
      #expect(duration >= .zero)
      gapsLost += count ?? 0
    }
    #expect(gapsLost == lost)
    #expect(log.samples.count + lost == 1000)
  }

  @Test func aSourceOnDemandWaitsForASlowWriterAndLosesNothing() throws {
    let log = WriterLog()
    let gate = WakeSignal()
    let recorder = Recorder(writer: LoggingWriter(log, gate: gate), waitsForRoom: true, capacity: 4)
    let thread = JoinableThread { for index in 0..<100 { recorder.append(Self.sample(index)) } }
    gate.signal()
    thread.join()
    try recorder.finish()
    #expect(log.samples.count == 100)
    #expect(recorder.progress.lost == 0)
  }

  /// kill -9 costs a second at most, also when the source has fallen silent.
  @Test func aSilentSourceIsFlushedAllTheSame() throws {
    let log = WriterLog()
    let recorder = Recorder(writer: LoggingWriter(log), waitsForRoom: false)
    recorder.append(Self.sample(0))
    #expect(log.flushed.wait(limit: .seconds(60)))
    #expect(log.samples.count == 1)
    try recorder.finish()
  }

  @Test func aFailureIsToldOnceAndHoldsNobodyUp() {
    let log = WriterLog()
    let told = Lock(0)
    let recorder = Recorder(
      writer: LoggingWriter(log, failsAfter: 3), waitsForRoom: true, capacity: 2,
      onFailure: { _ in told.withLock { $0 += 1 } })
    for index in 0..<500 { recorder.append(Self.sample(index)) }
    #expect(throws: SensorError.self) { try recorder.finish() }
    #expect(throws: SensorError.self) { try recorder.finish() }
    #expect(log.samples.count == 3 && recorder.progress.samples == 3)
    #expect(log.isFinished)
    #expect(told.withLock { $0 } == 1)
  }
}
