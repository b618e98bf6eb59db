// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionRecording
import MotionSensing

@testable import HeadphoneSources
@testable import LinuxSources

/// The parsers of bytes from outside, as libFuzzer calls them (https://llvm.org/docs/LibFuzzer.html): `make fuzz`.
///
/// A parser reads the bytes or refuses them. What libFuzzer reports is a trap, an input that takes seconds, and memory beyond its limit.
enum FuzzTarget: String {
  case mcap, arrow, zip, hid, aap

  /// The one that FUZZ_TARGET names.
  static let chosen: FuzzTarget = {
    guard let name = getenv("FUZZ_TARGET"), let target = FuzzTarget(rawValue: String(cString: name)) else {
      fatalError("Set FUZZ_TARGET to mcap, arrow, zip, hid or aap.")
    }
    return target
  }()

  func read(_ bytes: [UInt8]) {
    switch self {
    case .mcap, .arrow, .zip: readRecording(bytes)
    case .hid:
      guard let device = HeadTrackerDescription(bytes: bytes) else { return }
      _ = device.intervals
      _ = device.decode(id: device.inputID, data: bytes)
    case .aap:
      var reader = PacketBytes(bytes[...])
      while AirPodsPacket.next(&reader) != nil {}
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

  private func readRecording(_ bytes: [UInt8]) {
    let (descriptor, path) = Self.file
    guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else { return }
    var options = RecordingOptions()
    options.damage = bytes.count % 2 == 0 ? .skip : .stop
    guard let recording = try? Recording.open(path: path, options: options), let reader = try? recording.makeReader()
    else { return }
    while let sample = try? reader.next() { precondition(sample.time.nanoseconds != .min) }
  }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzTarget.chosen.read(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
