// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// A live driver in miniature: it polls a pipe together with the wake signal and decodes whole records, as a driver of
/// a character device does.
struct PipeSource: SensorSource {
  struct Record {
    var nanoseconds: Int64
    var angularVelocity: (Double, Double, Double)
    var specificForce: (Double, Double, Double)
  }

  let info = SensorInfo(
    name: "benchmark pipe", origin: .hardware, pacing: .live,
    channels: [.init(kind: .accelerometer, rates: [1000]), .init(kind: .gyroscope, rates: [1000])])
  let descriptor: Int32

  func run(_ session: SensorSession) throws {
    var descriptors = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: session.wake.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let size = MemoryLayout<Record>.stride
    try withUnsafeTemporaryAllocation(byteCount: size * 64, alignment: 8) { buffer in
      while true {
        _ = poll(&descriptors, 2, 250)
        if session.isStopped { throw SourceStopped() }
        if descriptors[1].revents != 0 { session.wake.drain() }
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count == 0 { return }
        guard count > 0 else { continue }
        for index in 0..<(count / size) {
          let record = buffer.load(fromByteOffset: index * size, as: Record.self)
          let (w, f) = (record.angularVelocity, record.specificForce)
          try session.deliver(
            .inertial(
              InertialSample(
                time: SensorInstant(nanoseconds: record.nanoseconds),
                angularVelocity: Vector3(x: w.0, y: w.1, z: w.2), specificForce: Vector3(x: f.0, y: f.1, z: f.2))))
        }
      }
    }
  }
}

/// Writes records at a fixed rate from a thread of its own, stamped with the moment of writing.
final class PipeWriter {
  let readEnd: Int32
  private let writeEnd: Int32

  init() {
    var ends: [Int32] = [0, 0]
    precondition(pipe(&ends) == 0, "The system refuses a pipe.")
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  /// Blocks until everything is written; returns the CPU time it took itself, ns.
  func write(count: Int, rate: Int) -> Int64 {
    let begin = Meter.threadCPU()
    let period = 1_000_000_000 / Int64(rate)
    var next = Meter.now() + period
    for _ in 0..<count {
      var deadline = timespec(tv_sec: Int(next / 1_000_000_000), tv_nsec: Int(next % 1_000_000_000))
      while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nil) != 0 {}
      var record = PipeSource.Record(
        nanoseconds: Meter.now(), angularVelocity: (0, 0, 0.1), specificForce: (0, 0, standardGravity))
      _ = MotionSensing.write(writeEnd, &record, MemoryLayout<PipeSource.Record>.stride)
      next += period
    }
    return Meter.threadCPU() - begin
  }
}

/// A recording that never ends before `count` samples and costs nothing to read: what remains is the cost of everything
/// else.
struct CountedSource: SensorSource {
  let info: SensorInfo
  let count: Int
  private let period: Int64

  /// `rate` in Hz, a divisor of 10⁹.
  init(count: Int, rate: Int64 = 1000) {
    self.count = count
    period = 1_000_000_000 / rate
    info = SensorInfo(
      name: "benchmark recording", origin: .recording, pacing: .onDemand,
      channels: [
        .init(kind: .accelerometer, rates: [Double(rate)]), .init(kind: .gyroscope, rates: [Double(rate)]),
        .init(kind: .magnetometer, rates: [Double(rate) / 10], isCalibrated: true),
      ])
  }

  func run(_ session: SensorSession) throws {
    for index in 0..<count {
      let time = SensorInstant(nanoseconds: Int64(index) * period)
      if let resume = session.resumeAfter, time <= resume { continue }
      try session.wait(until: time)
      // A slow turn, so that the filter has something to do.
      let angle = Double(index) * 1e-4
      try session.deliver(
        .inertial(
          InertialSample(
            time: time, angularVelocity: Vector3(x: 0.1, y: 0, z: 0),
            specificForce: Vector3(
              x: 0, y: standardGravity * Scalar.sin(angle), z: standardGravity * Scalar.cos(angle)))))
      guard session.request.kinds.contains(.magnetometer), index % 10 == 0 else { continue }
      // 20 µT north and 45 µT down, in the axes of the turning device.
      let field = Vector3<Device>(
        x: 0, y: 20e-6 * Scalar.cos(angle) - 45e-6 * Scalar.sin(angle),
        z: -20e-6 * Scalar.sin(angle) - 45e-6 * Scalar.cos(angle))
      try session.deliver(.magnetometer(MagnetometerSample(time: time, magneticField: field)))
    }
  }
}
