// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
public import MotionSensing

/// How the chunks of an MCAP file are compressed. The libraries are looked for when they are needed and never linked: a
/// program that does not compress runs without them.
public enum MCAPCompression: String, Sendable, Hashable, CaseIterable {
  case none = ""
  /// Zstandard, by `libzstd.so.1`: the smaller files.
  case zstd
  /// LZ4 frames, by `liblz4.so.1`: the faster way.
  case lz4

  /// Fails with one sentence when the system has no library for it.
  public func check() throws(SensorError) { _ = try makeCodec() }

  func makeCodec() throws(SensorError) -> (any ChunkCodec)? {
    switch self {
    case .none: return nil
    case .zstd: return try ZstandardCodec()
    case .lz4: return try LZ4Codec()
    }
  }
}

/// Compresses and decompresses whole chunks.
protocol ChunkCodec {
  func compress(_ bytes: UnsafeRawBufferPointer) throws(SensorError) -> [UInt8]
  /// Exactly `size` bytes, or nil when the data is damaged or holds another number of bytes.
  func decompress(_ bytes: UnsafeRawBufferPointer, size: Int) -> [UInt8]?
}

/// A shared library that is loaded when the program runs.
struct SystemLibrary {
  private let handle: UnsafeMutableRawPointer
  private let name: String

  init(_ name: String, package: String, purpose: String) throws(SensorError) {
    guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
      throw SensorError(
        .unsupported,
        "For \(purpose) the library \(name) is needed; install the package \(package), or use another compression.")
    }
    // Never closed: the system counts, and a library stays where it is.
    self.handle = handle
    self.name = name
  }

  func function<Function>(_ symbol: String, as type: Function.Type) throws(SensorError) -> Function {
    guard let address = dlsym(handle, symbol) else {
      throw SensorError(.unsupported, "The library \(name) has no function \(symbol); install a present version of it.")
    }
    // A function pointer and a data pointer are the same on every system with dlsym (POSIX).
    return unsafeBitCast(address, to: type)
  }
}
