// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
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
  func compress(_ bytes: Span<UInt8>) throws(SensorError) -> [UInt8]
  /// Exactly `size` bytes, or nil when the data is damaged or holds another number of bytes.
  func decompress(_ bytes: Span<UInt8>, size: Int) -> [UInt8]?
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

/// Zstandard (RFC 8878) by the system's library; functions as in its public manual.
///
/// Unsafe: their types have C's pointers; they get them for the time of a call, each with its length.
struct ZstandardCodec: ChunkCodec {
  private typealias Bound = @convention(c) (Int) -> Int
  private typealias Compress = @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeRawPointer?, Int, Int32) -> Int
  private typealias Decompress = @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeRawPointer?, Int) -> Int
  private typealias IsError = @convention(c) (Int) -> UInt32
  /// The library's own default: further levels cost much time for few bytes.
  private static let level: Int32 = 3

  private let bound: Bound
  private let compressor: Compress
  private let decompressor: Decompress
  private let isError: IsError

  init() throws(SensorError) {
    let library = try SystemLibrary("libzstd.so.1", package: "libzstd1", purpose: "compression zstd")
    bound = try library.function("ZSTD_compressBound", as: Bound.self)
    compressor = try library.function("ZSTD_compress", as: Compress.self)
    decompressor = try library.function("ZSTD_decompress", as: Decompress.self)
    isError = try library.function("ZSTD_isError", as: IsError.self)
  }

  func compress(_ bytes: Span<UInt8>) throws(SensorError) -> [UInt8] {
    let capacity = bound(bytes.count)
    var result: [UInt8] = []
    let status = result.append(most: capacity, from: bytes) {
      compressor($0.baseAddress, $0.count, $1.baseAddress, $1.count, Self.level)
    }
    guard isError(status) == 0 else { throw SensorError(.system, "The library libzstd could not compress a chunk.") }
    return result
  }

  func decompress(_ bytes: Span<UInt8>, size: Int) -> [UInt8]? {
    var result: [UInt8] = []
    let status = result.append(most: size, from: bytes) {
      decompressor($0.baseAddress, $0.count, $1.baseAddress, $1.count)
    }
    return status == size && isError(status) == 0 ? result : nil
  }
}

/// LZ4 frames (LZ4 Frame Format Description 1.6) by the system's library; functions as in its public manual.
///
/// Unsafe: their types have C's pointers; they get them for the time of a call, each with its length.
struct LZ4Codec: ChunkCodec {
  private typealias Bound = @convention(c) (Int, UnsafeRawPointer?) -> Int
  private typealias Compress =
    @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeRawPointer?, Int, UnsafeRawPointer?) -> Int
  private typealias IsError = @convention(c) (Int) -> UInt32
  private typealias Create = @convention(c) (UnsafeMutablePointer<OpaquePointer?>, UInt32) -> Int
  private typealias Free = @convention(c) (OpaquePointer?) -> Int
  private typealias Decompress =
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>, UnsafeRawPointer?, UnsafeMutablePointer<Int>,
      UnsafeRawPointer?
    ) -> Int
  /// LZ4F_VERSION, which the library needs.
  private static let version: UInt32 = 100

  private let bound: Bound
  private let compressor: Compress
  private let isError: IsError
  private let create: Create
  private let free: Free
  private let decompressor: Decompress

  init() throws(SensorError) {
    let library = try SystemLibrary("liblz4.so.1", package: "liblz4-1", purpose: "compression lz4")
    bound = try library.function("LZ4F_compressFrameBound", as: Bound.self)
    compressor = try library.function("LZ4F_compressFrame", as: Compress.self)
    isError = try library.function("LZ4F_isError", as: IsError.self)
    create = try library.function("LZ4F_createDecompressionContext", as: Create.self)
    free = try library.function("LZ4F_freeDecompressionContext", as: Free.self)
    decompressor = try library.function("LZ4F_decompress", as: Decompress.self)
  }

  func compress(_ bytes: Span<UInt8>) throws(SensorError) -> [UInt8] {
    let capacity = bound(bytes.count, nil)
    var result: [UInt8] = []
    let status = result.append(most: capacity, from: bytes) {
      compressor($0.baseAddress, $0.count, $1.baseAddress, $1.count, nil)
    }
    guard isError(status) == 0 else { throw SensorError(.system, "The library liblz4 could not compress a chunk.") }
    return result
  }

  func decompress(_ bytes: Span<UInt8>, size: Int) -> [UInt8]? {
    var context: OpaquePointer?
    guard isError(create(&context, Self.version)) == 0 else { return nil }
    defer { _ = free(context) }
    var isComplete = false
    var result: [UInt8] = []
    _ = result.append(most: size, from: bytes) { output, bytes in
      var (taken, count) = (0, 0)
      while true {
        var room = size - count
        var left = bytes.count - taken
        let status = decompressor(
          context, output.baseAddress.map { $0 + count }, &room, bytes.baseAddress.map { $0 + taken }, &left, nil)
        guard isError(status) == 0 else { return count }
        taken += left
        count += room
        if status == 0 {
          isComplete = true
          return count
        }
        // Neither read nor written: it wants what is not there.
        if left == 0, room == 0 { return count }
      }
    }
    return isComplete && result.count == size ? result : nil
  }
}
