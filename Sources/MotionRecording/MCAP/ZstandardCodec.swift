// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Zstandard (RFC 8878) by the system's library; functions as in its public manual.
struct ZstandardCodec: ChunkCodec {
  private typealias Bound = @convention(c) (Int) -> Int
  private typealias Compress =
    @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeRawPointer?, Int, Int32) -> Int
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

  func compress(_ bytes: UnsafeRawBufferPointer) throws(SensorError) -> [UInt8] {
    let capacity = bound(bytes.count)
    var status = 0
    let result = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
      status = compressor(output.baseAddress, capacity, bytes.baseAddress, bytes.count, Self.level)
      count = isError(status) == 0 ? status : 0
    }
    guard isError(status) == 0 else { throw SensorError(.system, "The library libzstd could not compress a chunk.") }
    return result
  }

  func decompress(_ bytes: UnsafeRawBufferPointer, size: Int) -> [UInt8]? {
    let result = [UInt8](unsafeUninitializedCapacity: size) { output, count in
      let status = decompressor(output.baseAddress, size, bytes.baseAddress, bytes.count)
      count = isError(status) == 0 ? min(status, size) : 0
    }
    return result.count == size ? result : nil
  }
}
