// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What a report of a HID device looks like: which bits mean what.
///
/// A device describes its reports by a list of *items*: global ones (ranges, sizes, units, the report's number) stay until they are set
/// again, local ones (usages) hold for the next main item, and main items make fields or open and close collections. Numbers, offsets and
/// sizes differ from device to device; a *usage* says what a field means, and is all that may be relied upon.
///
/// Source: USB-IF, Device Class Definition for HID 1.11, section 6.2.2. The limits are those of the Linux kernel, or stricter.
struct HIDReportDescriptor: Hashable, Sendable {
  /// A field that has a meaning; padding is passed over.
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
      // A long item: its size follows. None is defined; they are passed over.
      if prefix == 0xFE {
        guard position + 2 < bytes.count else { throw .truncated }
        position += 3 + Int(bytes[position + 1])
        continue
      }
      let size = [0, 1, 2, 4][Int(prefix & 3)]
      guard size <= bytes.count - position - 1 else { throw .truncated }
      let data = bytes[(position + 1)..<(position + 1 + size)]
      try take(prefix & 0xFC, Item(data), &state)
      position += 1 + size
    }
    guard position == bytes.count else { throw .truncated }
  }

  /// The data of an item, 0 to 4 bytes.
  private struct Item {
    var size: Int
    var unsigned: UInt32
    /// Its highest bit taken for the sign.
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

  private mutating func take(_ tag: UInt8, _ item: Item, _ state: inout State) throws(Mistake) {
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

  /// A usage of up to two bytes belongs to the page that holds when the main item comes; one of four bytes says its page.
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
        kind: kind, reportID: globals.reportID, isConstant: item.unsigned & 1 != 0,
        isVariable: item.unsigned & 2 != 0, usages: usages, collections: state.collections,
        logicalMinimum: logical.0, logicalMaximum: logical.1, physicalMinimum: physical.0,
        physicalMaximum: physical.1, unitExponent: globals.unitExponent, unit: globals.unit, bitOffset: offset,
        bitSize: globals.reportSize, count: globals.reportCount))
  }
}
