// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The layout of a report of a HID device: the meaning of its bits.
///
/// A device describes its reports by a list of *items*: global ones (ranges, sizes, units, the report's number) stay
/// until they are set again, local ones (usages) hold for the next main item, and main items make fields or open and
/// close collections. Numbers, offsets and sizes differ from device to device; only the *usage*, which gives the
/// meaning of a field, is reliable.
///
/// Source: USB-IF, Device Class Definition for HID 1.11, section 6.2.2. The limits are those of the Linux kernel, or
/// stricter.
struct HIDReportDescriptor: Hashable, Sendable {
  /// A field that has a meaning; padding is skipped.
  private(set) var fields: [HIDField] = []
  /// Whether each report begins with its number.
  private(set) var usesReportIDs = false
  /// Bits of each report, padding included.
  private var sizes: [Report: Int] = [:]

  private struct Report: Hashable, Sendable {
    var kind: HIDField.Kind
    var id: UInt8
  }

  /// What is wrong with a descriptor.
  enum Mistake: Error, Hashable, Sendable {
    case truncated, tooMuch, unbalanced
  }

  /// Bytes of a descriptor (`HID_MAX_DESCRIPTOR_SIZE`).
  static let byteLimit = 4096
  /// Bytes of a report (`HID_MAX_BUFFER_SIZE`).
  static let reportLimit = 16384
  private static let fieldLimit = 1024
  private static let depthLimit = 32

  /// How many bytes a report has after its number.
  func byteCount(_ kind: HIDField.Kind, id: UInt8) -> Int { ((sizes[Report(kind: kind, id: id)] ?? 0) + 7) / 8 }

  /// Reads a descriptor; every count and size in it is limited.
  init(_ bytes: [UInt8]) throws(Mistake) {
    guard bytes.count <= Self.byteLimit else { throw .tooMuch }
    var state = State()
    var position = 0
    while position < bytes.count {
      let prefix = bytes[position]
      // A long item: its size follows. None is defined; they are skipped.
      if prefix == 0xFE {
        guard position + 2 < bytes.count else { throw .truncated }
        position += 3 + Int(bytes[position + 1])
        continue
      }
      let size = [0, 1, 2, 4][Int(prefix & 3)]
      guard size <= bytes.count - position - 1 else { throw .truncated }
      let data = bytes[(position + 1)..<(position + 1 + size)]
      try apply(prefix & 0xFC, Item(data), &state)
      position += 1 + size
    }
    guard position == bytes.count else { throw .truncated }
  }

  /// The data of an item, 0 to 4 bytes.
  private struct Item {
    var size: Int
    var unsigned: UInt32
    /// Its highest bit is the sign.
    var signed: Int64

    init(_ data: ArraySlice<UInt8>) {
      size = data.count
      unsigned = data.reversed().reduce(0) { $0 << 8 | UInt32($1) }
      signed = HIDField.signed(UInt64(unsigned), bits: 8 * data.count)
    }
  }

  private struct Globals {
    var page: UInt32 = 0
    var logicalMinimum: Item?
    var logicalMaximum: Item?
    var physicalMinimum: Item?
    var physicalMaximum: Item?
    var unitExponent = 0
    var unit: UInt32 = 0
    var reportSize = 0
    var reportCount = 0
    var reportID: UInt8 = 0
  }

  /// Local usages, complete with their pages once the main item comes.
  private struct Locals {
    var usages: [(lowest: Item, highest: Item)] = []
    var minimum: Item?
  }

  private struct State {
    var globals = Globals()
    var stack: [Globals] = []
    var locals = Locals()
    var collections: [HIDField.Collection] = []
  }

  private mutating func apply(_ tag: UInt8, _ item: Item, _ state: inout State) throws(Mistake) {
    switch tag {
    // Main items.
    case 0x80: try add(.input, item, &state)
    case 0x90: try add(.output, item, &state)
    case 0xB0: try add(.feature, item, &state)
    case 0xA0:
      guard state.collections.count < Self.depthLimit else { throw .tooMuch }
      let usage = Self.ranges(state.locals, state.globals.page).first?.lowerBound ?? 0
      state.collections.append(.init(kind: UInt8(truncatingIfNeeded: item.unsigned), usage: usage))
      state.locals = Locals()
    case 0xC0:
      guard state.collections.popLast() != nil else { throw .unbalanced }
      state.locals = Locals()
    // Global items.
    case 0x04: state.globals.page = item.unsigned & 0xFFFF
    case 0x14: state.globals.logicalMinimum = item
    case 0x24: state.globals.logicalMaximum = item
    case 0x34: state.globals.physicalMinimum = item
    case 0x44: state.globals.physicalMaximum = item
    // A signed nibble; some devices write a signed byte instead.
    case 0x54: state.globals.unitExponent = HIDField.exponent(item.unsigned)
    case 0x64: state.globals.unit = item.unsigned
    case 0x74: state.globals.reportSize = Int(min(item.unsigned, UInt32(Self.reportLimit * 8 + 1)))
    case 0x84:
      state.globals.reportID = UInt8(truncatingIfNeeded: item.unsigned)
      usesReportIDs = true
    case 0x94: state.globals.reportCount = Int(min(item.unsigned, UInt32(Self.reportLimit * 8 + 1)))
    case 0xA4:
      guard state.stack.count < Self.depthLimit else { throw .tooMuch }
      state.stack.append(state.globals)
    case 0xB4:
      guard let globals = state.stack.popLast() else { throw .unbalanced }
      state.globals = globals
    // Local items.
    case 0x08:
      guard state.locals.usages.count < Self.fieldLimit else { throw .tooMuch }
      state.locals.usages.append((item, item))
    case 0x18: state.locals.minimum = item
    case 0x28:
      guard state.locals.usages.count < Self.fieldLimit else { throw .tooMuch }
      if let minimum = state.locals.minimum { state.locals.usages.append((minimum, item)) }
      state.locals.minimum = nil
    default: break
    }
  }

  /// A usage of up to two bytes belongs to the page that holds when the main item comes; one of four bytes says its
  /// page.
  private static func ranges(_ locals: Locals, _ page: UInt32) -> [ClosedRange<UInt32>] {
    locals.usages.compactMap { lowest, highest in
      func complete(_ item: Item) -> UInt32 { item.size == 4 ? item.unsigned : page << 16 | item.unsigned }
      let (low, high) = (complete(lowest), complete(highest))
      return low <= high ? low...high : nil
    }
  }

  private mutating func add(_ kind: HIDField.Kind, _ item: Item, _ state: inout State) throws(Mistake) {
    let globals = state.globals
    defer { state.locals = Locals() }
    let report = Report(kind: kind, id: globals.reportID)
    let offset = sizes[report] ?? 0
    let (bits, overflows) = globals.reportSize.multipliedReportingOverflow(by: globals.reportCount)
    guard !overflows, bits <= Self.reportLimit * 8 - offset else { throw .tooMuch }
    sizes[report] = offset + bits
    let usages = Self.ranges(state.locals, globals.page)
    guard !usages.isEmpty, bits > 0 else { return }
    guard fields.count < Self.fieldLimit else { throw .tooMuch }
    // The maximum is unsigned where the minimum is not negative: 0 … 0xFF in one byte is 0 … 255.
    func range(_ low: Item?, _ high: Item?) -> (Int64, Int64) {
      let minimum = low?.signed ?? 0
      guard let high else { return (minimum, 0) }
      return (minimum, minimum < 0 ? high.signed : Int64(high.unsigned))
    }
    let logical = range(globals.logicalMinimum, globals.logicalMaximum)
    let physical = range(globals.physicalMinimum, globals.physicalMaximum)
    fields.append(
      HIDField(
        kind: kind, reportID: globals.reportID, isVariable: item.unsigned & 2 != 0, usages: usages,
        collections: state.collections,
        logicalMinimum: logical.0, logicalMaximum: logical.1, physicalMinimum: physical.0,
        physicalMaximum: physical.1, unitExponent: globals.unitExponent, unit: globals.unit, bitOffset: offset,
        bitSize: globals.reportSize, count: globals.reportCount))
  }
}

/// One or more values of the same kind, side by side in a report.
struct HIDField: Hashable, Sendable {
  /// The direction of a report.
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
  /// Each value has a usage of its own; else a value is the index of one of the usages.
  var isVariable: Bool
  /// Page in the upper, usage in the lower 16 bits.
  var usages: [ClosedRange<UInt32>]
  /// From the outermost to the innermost.
  var collections: [Collection]
  var logicalMinimum, logicalMaximum, physicalMinimum, physicalMaximum: Int64
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

  /// The value at an index of the field in a report's data (without its number); bits beyond the end are zero. Nil for
  /// sizes that are not read, and indices that the field has not.
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

  /// The bits as a number in two's complement.
  static func signed(_ value: UInt64, bits: Int) -> Int64 {
    guard (1...63).contains(bits) else { return bits == 64 ? Int64(bitPattern: value) : 0 }
    let shift = UInt64(64 - bits)
    return Int64(bitPattern: value << shift) >> Int64(shift)
  }

  // MARK: Units

  /// A unit exponent: a signed nibble, 8…15 stand for −8…−1 (HID 1.11, 6.2.2.7). A byte with bits above is read as
  /// signed, which some devices write.
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
    return Int64(clamping: min(max(value, Double(logicalMinimum)), Double(logicalMaximum)))
  }
}
