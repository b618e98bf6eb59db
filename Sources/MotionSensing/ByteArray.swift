// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
  /// Appends the bytes of a number, the lowest first; for the highest first pass its `byteSwapped`.
  @inlinable package mutating func append(littleEndian value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  /// Appends bytes that lie anywhere.
  package mutating func append(_ bytes: Span<UInt8>) {
    // unsafe: read in place during the call; Span has no way to be appended as a whole.
    bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}
