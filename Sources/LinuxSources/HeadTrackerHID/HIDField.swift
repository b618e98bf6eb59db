// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One or more values of the same kind, side by side in a report.
struct HIDField: Hashable, Sendable {
  /// Which way a report goes.
  enum Kind: Hashable, Sendable { case input, output, feature }

  /// A group of fields.
  struct Collection: Hashable, Sendable {
    /// 0 physical, 1 application, 2 logical.
    var kind: UInt8
    /// Page in the upper, usage in the lower 16 bits.
    var usage: UInt32
  }

  var kind: Kind
  /// The number of its report; 0 where reports have none.
  var reportID: UInt8
  /// The host cannot change it.
  var isConstant: Bool
  /// Each value has a usage of its own; else a value is the index of one of the usages.
  var isVariable: Bool
  /// Page in the upper, usage in the lower 16 bits.
  var usages: [ClosedRange<UInt32>]
  /// From the outermost to the innermost.
  var collections: [Collection]
  var logicalMinimum: Int64
  var logicalMaximum: Int64
  var physicalMinimum: Int64
  var physicalMaximum: Int64
  /// The physical value is multiplied by ten to this power.
  var unitExponent: Int
  /// HID's code of the unit; 0 = none.
  var unit: UInt32
  /// From the first bit after the report's number.
  var bitOffset: Int
  /// Of one value.
  var bitSize: Int
  /// How many values.
  var count: Int

  /// The usage of a value; the last one holds for all that follow (HID 1.11, 6.2.2.8).
  func usage(at index: Int) -> UInt32? {
    var left = index
    for range in usages {
      let width = Int(range.upperBound - range.lowerBound) + 1
      if left < width { return range.lowerBound + UInt32(left) }
      left -= width
    }
    return usages.last?.upperBound
  }

  /// The index of a usage among those that are listed; nil when it is not.
  func index(of usage: UInt32) -> Int? {
    var start = 0
    for range in usages {
      if range.contains(usage) { return start + Int(usage - range.lowerBound) }
      start += Int(range.upperBound - range.lowerBound) + 1
    }
    return nil
  }

  // MARK: Bits

  /// Values of 1 to 63 bits are read; others are none of ours.
  var isReadable: Bool { (1...63).contains(bitSize) }

  /// The value at an index of the field in a report's data (without its number); bits beyond the end are zero. Nil for sizes that are
  /// not read, and indices that the field has not.
  func raw(at index: Int, in data: some RandomAccessCollection<UInt8>) -> Int64? {
    guard isReadable, (0..<count).contains(index) else { return nil }
    let start = bitOffset + index * bitSize
    var value: UInt64 = 0
    for bit in 0..<bitSize {
      let place = start + bit
      guard place / 8 < data.count else { break }
      let byte = data[data.index(data.startIndex, offsetBy: place / 8)]
      value |= UInt64(byte >> UInt8(place % 8) & 1) << UInt64(bit)
    }
    // With a short report the missing upper bits are zeros, and the sign with them.
    return logicalMinimum < 0 ? Self.signed(value, bits: bitSize) : Int64(value)
  }

  /// All values that fit into the data.
  func raws(in data: some RandomAccessCollection<UInt8>) -> [Int64] {
    guard isReadable else { return [] }
    return (0..<min(count, HIDReportDescriptor.reportLimit)).compactMap { raw(at: $0, in: data) }
  }

  /// Writes a value over its bits; false, and nothing written, when the field or the data has no room for it.
  func insert(_ raw: Int64, at index: Int, into data: inout [UInt8]) -> Bool {
    let start = bitOffset + index * bitSize
    guard isReadable, (0..<count).contains(index), start + bitSize <= data.count * 8 else { return false }
    let value = UInt64(bitPattern: raw)
    for bit in 0..<bitSize {
      let (byte, mask) = ((start + bit) / 8, UInt8(1) << UInt8((start + bit) % 8))
      if value >> UInt64(bit) & 1 == 1 { data[byte] |= mask } else { data[byte] &= ~mask }
    }
    return true
  }

  /// The bits taken for a number in two's complement.
  static func signed(_ value: UInt64, bits: Int) -> Int64 {
    guard (1...63).contains(bits) else { return bits == 64 ? Int64(bitPattern: value) : 0 }
    let shift = UInt64(64 - bits)
    return Int64(bitPattern: value << shift) >> Int64(shift)
  }

  // MARK: Units

  /// A unit exponent: a signed nibble, 8…15 stand for −8…−1 (HID 1.11, 6.2.2.7). A byte with bits above is taken as signed, which some
  /// devices write.
  static func exponent(_ code: UInt32) -> Int {
    if code <= 0xF { return code > 7 ? Int(code) - 16 : Int(code) }
    let number = Int(Int8(truncatingIfNeeded: code))
    return (-32...32).contains(number) ? number : 0
  }

  private var range: (minimum: Double, scale: Double) {
    // Both limits zero: the physical value is the logical one (HID 1.11, 6.2.2.7).
    guard physicalMinimum != 0 || physicalMaximum != 0 else { return (Double(logicalMinimum), 1) }
    // A field that has only one value.
    guard logicalMaximum != logicalMinimum else { return (Double(physicalMinimum), 0) }
    let scale = Double(physicalMaximum - physicalMinimum) / Double(logicalMaximum - logicalMinimum)
    return (Double(physicalMinimum), scale)
  }

  /// Ten to the magnitude of the exponent: multiplied or divided by, so that no digit is lost to a power below one.
  private var tens: Double { (0..<abs(unitExponent)).reduce(1.0) { power, _ in power * 10 } }

  /// The physical value of a logical one, in the unit of the descriptor.
  func physical(_ raw: Int64) -> Double {
    let (minimum, scale) = range
    let value = Double(raw - logicalMinimum) * scale + minimum
    return unitExponent < 0 ? value / tens : value * tens
  }

  /// The nearest logical value of a physical one, within the field's limits; nil when the field has none.
  func logical(_ physical: Double) -> Int64? {
    let (minimum, scale) = range
    guard physical.isFinite, logicalMinimum <= logicalMaximum else { return nil }
    guard scale != 0 else { return logicalMinimum }
    let bare = unitExponent < 0 ? physical * tens : physical / tens
    let value = ((bare - minimum) / scale).rounded() + Double(logicalMinimum)
    return Int64(min(max(value, Double(logicalMinimum)), Double(logicalMaximum)))
  }
}
