// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing

@testable import HeadphoneSources
@testable import LinuxSources

/// The parsers of bytes from outside, as libFuzzer calls them (https://llvm.org/docs/LibFuzzer.html): `make fuzz`.
///
/// A parser reads the bytes or refuses them. What libFuzzer reports is a trap, an input that takes seconds, and memory
/// beyond its limit. Behind the readers of recordings stand the estimators (``EveryEstimator``), which also get samples
/// of any bits; and a history is asked for all it holds.
enum FuzzTarget: String, CaseIterable {
  case mcap, zip, hid, aap, samples, history

  /// The one that FUZZ_TARGET names.
  static let chosen: FuzzTarget = {
    guard let name = getenv("FUZZ_TARGET"), let target = FuzzTarget(rawValue: String(cString: name)) else {
      fatalError("Set FUZZ_TARGET to one of \(allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return target
  }()

  func read(_ bytes: [UInt8]) {
    switch self {
    case .mcap, .zip: readRecording(bytes)
    case .hid:
      guard let device = HeadTrackerDescription(bytes: bytes) else { return }
      _ = device.intervals
      _ = device.decode(id: device.inputID, data: bytes)
    case .aap:
      var reader = PacketBytes(bytes[...])
      while AirPodsPacket.next(&reader) != nil {}
    case .samples: EveryEstimator.update(samplesOf: bytes)
    case .history: try? Self.edited.read(editsOf: bytes)
    }
  }

  /// A file in memory, written again for each input; readers take a path.
  private static let file: (descriptor: Int32, path: String) = {
    let path = "/dev/shm/motion-fuzz-\(getpid())"
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { fatalError("\(path) cannot be made: errno \(errno).") }
    atexit { unlink(FuzzTarget.file.path) }
    return (descriptor, path)
  }()

  private static let edited: EditedHistory = {
    let folder = "/dev/shm/motion-fuzz-history-\(getpid())"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      atexit { try? FileManager.default.removeItem(atPath: "/dev/shm/motion-fuzz-history-\(getpid())") }
      return try EditedHistory(folder: folder)
    } catch {
      fatalError("No history can be made in \(folder): \(error)")
    }
  }()

  private func write(_ bytes: [UInt8]) -> Bool {
    ftruncate(Self.file.descriptor, 0) == 0 && pwrite(Self.file.descriptor, bytes, bytes.count, 0) == bytes.count
  }

  private func readRecording(_ bytes: [UInt8]) {
    let path = Self.file.path
    guard write(bytes) else { return }
    var options = RecordingOptions()
    options.damage = bytes.count % 2 == 0 ? .skip : .stop
    guard let recording = try? Recording.open(path: path, options: options), let reader = try? recording.makeReader()
    else { return }
    var estimators = EveryEstimator()
    while let sample = try? reader.next() { estimators.update(sample) }
    estimators.finish()
  }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzTarget.chosen.read(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
