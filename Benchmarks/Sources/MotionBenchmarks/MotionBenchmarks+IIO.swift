// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSources
import MotionSensing

extension MotionBenchmarks {
  /// The buffer of an IIO chip → records decoded → samples in SI: allocations a wake, one record or a batch each, and
  /// polled.
  ///
  /// A folder stands for sysfs, and a named pipe for the device node.
  static func iio() -> Bool {
    var isGood = true
    for (name, batch, isPolled) in [
      ("one record a wake", 1, false), ("batches of 100", 100, false), ("polled", 1, true),
    ] {
      do {
        let chip = try FakeChip(watermark: batch)
        defer { chip.remove() }
        let reading = isPolled ? "polled" : "buffered"
        let source = try IIOSource(
          path: "0", options: ["root": chip.root, "reading": reading, "watermark": "\(batch)", "rate": "1000"])
        let wakes = isPolled ? 100 : batch == 1 ? 2000 : 200
        let warm = wakes / 4
        let marks = Lock((samples: 0, allocations: 0, wakes: 0))
        let session = SensorSession(
          clock: MonotonicClock(), request: SensorRequest(kinds: .inertial, interval: .milliseconds(1))
        ) { (_, session) throws(SourceStopped) in
          let isLast = marks.withLock { marks in
            marks.samples += 1
            if marks.samples == warm * batch {
              (marks.allocations, marks.wakes) = (Meter.allocations() ?? 0, source.statistics.wakes)
            }
            guard marks.samples == wakes * batch else { return false }
            (marks.allocations, marks.wakes) = (
              (Meter.allocations() ?? 0) - marks.allocations, source.statistics.wakes - marks.wakes
            )
            return true
          }
          if isLast {
            session.stop()
            throw SourceStopped()
          }
        }
        let writer = Thread { chip.write(batch: batch, until: session) }
        if !isPolled { writer.start() }
        do { try source.run(session) } catch is SourceStopped {}
        let (_, allocations, counted) = marks.withLock { $0 }
        let perWake = Double(allocations) / Double(max(1, counted))
        print(
          "iio      \(pad(name, 34)) \(fixed(perWake, 4)) allocations a wake (\(counted) wakes, \((wakes - warm) * batch) samples)"
        )
        // A burst on a busy computer may need more room, once; what a wake allocates would be one or more.
        if perWake > 0.01 {
          print("iio      FAILED: a wake must not allocate")
          isGood = false
        }
      } catch {
        print("iio      FAILED: \(name): \(error)")
        isGood = false
      }
    }
    return isGood
  }
}

/// A chip with accelerometer and gyroscope, as the kernel shows it.
private struct FakeChip {
  let root = FileManager.default.temporaryDirectory.appending(path: "iio-bench-\(UUID().uuidString)").path
  private let pipe: Int32

  init(watermark: Int) throws {
    var files = [
      "name": "bmi160", "in_accel_scale": "0.000598", "in_anglvel_scale": "0.001065",
      "in_mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, 1",
      "in_accel_sampling_frequency": "1000", "in_anglvel_sampling_frequency": "1000", "buffer/enable": "0",
      "buffer/length": "2", "buffer/watermark": "1", "current_timestamp_clock": "monotonic",
      "scan_elements/in_timestamp_en": "0", "scan_elements/in_timestamp_index": "6",
      "scan_elements/in_timestamp_type": "le:s64/64>>0",
    ]
    for (index, axis) in ["anglvel_x", "anglvel_y", "anglvel_z", "accel_x", "accel_y", "accel_z"].enumerated() {
      files["in_\(axis)_raw"] = axis == "accel_z" ? "16384" : "0"
      files["scan_elements/in_\(axis)_en"] = "0"
      files["scan_elements/in_\(axis)_index"] = "\(index)"
      files["scan_elements/in_\(axis)_type"] = "le:s16/16>>0"
    }
    let folder = "\(root)/sys/bus/iio/devices/iio:device0"
    for name in ["\(folder)/buffer", "\(folder)/scan_elements", "\(root)/dev"] {
      try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: true)
    }
    for (name, text) in files { try "\(text)\n".write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8) }
    let node = "\(root)/dev/iio:device0"
    precondition(mkfifo(node, 0o600) == 0, "The system refuses a named pipe.")
    // For both: so it opens without a reader, and the reader never sees an end.
    pipe = open(node, O_RDWR | O_NONBLOCK)
  }

  func remove() {
    close(pipe)
    try? FileManager.default.removeItem(atPath: root)
  }

  /// Writes records at 1 kHz, a batch at once, stamped with their instants, until the session has stopped.
  func write(batch: Int, until session: SensorSession) {
    let size = 24
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: size * batch, alignment: 8)
    defer { bytes.deallocate() }
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    var next = Meter.now()
    while !session.isStopped {
      for index in 0..<batch {
        next += 1_000_000
        bytes.storeBytes(of: Int16(16_384), toByteOffset: index * size + 10, as: Int16.self)
        bytes.storeBytes(of: next, toByteOffset: index * size + 16, as: Int64.self)
      }
      var deadline = timespec(tv_sec: Int(next / 1_000_000_000), tv_nsec: Int(next % 1_000_000_000))
      while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nil) != 0 {}
      _ = MotionSensing.write(pipe, bytes.baseAddress, bytes.count)
    }
  }
}
