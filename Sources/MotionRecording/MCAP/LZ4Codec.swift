// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// LZ4 frames (LZ4 Frame Format Description 1.6) by the system's library; functions as in its public manual.
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
  /// LZ4F_VERSION, which the library wants to be told.
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

  func compress(_ bytes: UnsafeRawBufferPointer) throws(SensorError) -> [UInt8] {
    let capacity = bound(bytes.count, nil)
    var status = 0
    let result = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
      status = compressor(output.baseAddress, capacity, bytes.baseAddress, bytes.count, nil)
      count = isError(status) == 0 ? status : 0
    }
    guard isError(status) == 0 else { throw SensorError(.system, "The library liblz4 could not compress a chunk.") }
    return result
  }

  func decompress(_ bytes: UnsafeRawBufferPointer, size: Int) -> [UInt8]? {
    var context: OpaquePointer?
    guard isError(create(&context, Self.version)) == 0 else { return nil }
    defer { _ = free(context) }
    var isComplete = false
    let result = [UInt8](unsafeUninitializedCapacity: size) { output, count in
      var taken = 0
      while true {
        var room = size - count
        var left = bytes.count - taken
        let status = decompressor(
          context, output.baseAddress.map { UnsafeMutableRawPointer($0 + count) }, &room,
          bytes.baseAddress?.advanced(by: taken), &left, nil)
        guard isError(status) == 0 else { return }
        taken += left
        count += room
        if status == 0 {
          isComplete = true
          return
        }
        // Neither read nor written: it wants what is not there.
        if left == 0, room == 0 { return }
      }
    }
    return isComplete && result.count == size ? result : nil
  }
}
