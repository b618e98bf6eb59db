// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// The compression of the chunks of an MCAP file. The libraries are loaded when they are needed and never linked: a
/// program that does not compress runs without them.
public enum MCAPCompression: String, Sendable, Hashable, CaseIterable {
  case none = ""
  /// Zstandard, with `libzstd.so.1`: smaller files.
  case zstd
  /// LZ4 frames, with `liblz4.so.1`: faster.
  case lz4

  /// Fails with an error when the system has no library for it.
  public func check() throws(SensorError) { _ = try makeCodec() }

  func makeCodec() throws(SensorError) -> ChunkCodec? {
    switch self {
    case .none: return nil
    case .zstd: return try .zstandard()
    case .lz4: return try .lz4()
    }
  }
}

/// A shared library that is loaded when the program runs.
///
/// Unsafe: the compiler cannot know what the library's functions are; callers declare them as the manual does.
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
      throw SensorError(.unsupported, "The library \(name) has no function \(symbol); install a current version of it.")
    }
    // A function pointer and a data pointer are the same on every system with dlsym (POSIX).
    return unsafeBitCast(address, to: type)
  }
}

/// Compresses and decompresses whole chunks by the system's library; functions as in its public manual.
///
/// Unsafe: their types have C's pointers; they get them for the time of a call, each with its length.
struct ChunkCodec {
  private typealias Output = UnsafeMutableRawPointer
  private typealias Input = UnsafeRawPointer
  private typealias IsError = @convention(c) (Int) -> UInt32

  private let name: String
  private let bound: (Int) -> Int
  private let compressor: (Output?, Int, Input?, Int) -> Int
  private let isError: IsError
  /// How many bytes came out; nil where the data is damaged.
  private let decompressor: (UnsafeMutableRawBufferPointer, UnsafeRawBufferPointer) -> Int?

  func compress(_ bytes: Span<UInt8>) throws(SensorError) -> [UInt8] {
    var result: [UInt8] = []
    let status = result.append(most: bound(bytes.count), from: bytes) {
      compressor($0.baseAddress, $0.count, $1.baseAddress, $1.count)
    }
    guard isError(status) == 0 else { throw SensorError(.system, "The library \(name) could not compress a chunk.") }
    return result
  }

  /// Exactly `size` bytes, or nil when the data is damaged or holds another number of bytes.
  func decompress(_ bytes: Span<UInt8>, size: Int) -> [UInt8]? {
    var result: [UInt8] = []
    let count = result.append(most: size, from: bytes) { decompressor($0, $1) ?? -1 }
    return count == size ? result : nil
  }

  /// Zstandard (RFC 8878), at the library's own default level: further levels cost much time for few bytes.
  static func zstandard() throws(SensorError) -> ChunkCodec {
    let library = try SystemLibrary("libzstd.so.1", package: "libzstd1", purpose: "compression zstd")
    let bound = try library.function("ZSTD_compressBound", as: (@convention(c) (Int) -> Int).self)
    let compress = try library.function(
      "ZSTD_compress", as: (@convention(c) (Output?, Int, Input?, Int, Int32) -> Int).self)
    let decompress = try library.function(
      "ZSTD_decompress", as: (@convention(c) (Output?, Int, Input?, Int) -> Int).self)
    let isError = try library.function("ZSTD_isError", as: IsError.self)
    return ChunkCodec(
      name: "libzstd", bound: { bound($0) }, compressor: { compress($0, $1, $2, $3, 3) }, isError: isError
    ) { output, bytes in
      let status = decompress(output.baseAddress, output.count, bytes.baseAddress, bytes.count)
      return isError(status) == 0 ? status : nil
    }
  }

  /// LZ4 frames (LZ4 Frame Format Description 1.6).
  static func lz4() throws(SensorError) -> ChunkCodec {
    let library = try SystemLibrary("liblz4.so.1", package: "liblz4-1", purpose: "compression lz4")
    let bound = try library.function("LZ4F_compressFrameBound", as: (@convention(c) (Int, Input?) -> Int).self)
    let compress = try library.function(
      "LZ4F_compressFrame", as: (@convention(c) (Output?, Int, Input?, Int, Input?) -> Int).self)
    let isError = try library.function("LZ4F_isError", as: IsError.self)
    let create = try library.function(
      "LZ4F_createDecompressionContext",
      as: (@convention(c) (UnsafeMutablePointer<OpaquePointer?>, UInt32) -> Int).self)
    let free = try library.function("LZ4F_freeDecompressionContext", as: (@convention(c) (OpaquePointer?) -> Int).self)
    let decompress = try library.function(
      "LZ4F_decompress",
      as: (@convention(c) (
        OpaquePointer?, Output?, UnsafeMutablePointer<Int>, Input?, UnsafeMutablePointer<Int>, Input?
      ) -> Int).self)
    return ChunkCodec(
      name: "liblz4", bound: { bound($0, nil) }, compressor: { compress($0, $1, $2, $3, nil) }, isError: isError
    ) { output, bytes in
      var context: OpaquePointer?
      // LZ4F_VERSION, which the library needs.
      guard isError(create(&context, 100)) == 0 else { return nil }
      defer { _ = free(context) }
      var (taken, count) = (0, 0)
      while true {
        var (room, left) = (output.count - count, bytes.count - taken)
        let status = decompress(
          context, output.baseAddress.map { $0 + count }, &room, bytes.baseAddress.map { $0 + taken }, &left, nil)
        guard isError(status) == 0 else { return nil }
        taken += left
        count += room
        if status == 0 { return count }
        // Neither read nor written: it wants what is not there.
        if left == 0, room == 0 { return nil }
      }
    }
  }
}
