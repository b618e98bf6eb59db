// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Everything that reads or writes the client's memory is in this file; the others see values.

// unsafe: how Swift writes `const Value *` and `Value *`; the client says what is there
public typealias Borrowed<Value> = UnsafePointer<Value>
public typealias Lent<Value> = UnsafeMutablePointer<Value>  // unsafe: as above

/// The bytes of a text that ends with a zero.
func text(at start: Borrowed<CChar>) -> some Sequence<UInt8> {
  sequence(first: start) { $0 + 1 }.lazy.map { UInt8(bitPattern: $0.pointee) }.prefix { $0 != 0 }
}

/// A structure of ocm.h that grows at its end, from version to version.
protocol Growing {
  /// The bytes of its first published layout: no header has a shorter one.
  static var firstSize: Int { get }
}

/// One that begins with its size. A client whose header is older gives and gets the fields that it has; one whose
/// header is newer gives zeros in the fields that are not known here, and gets zeros in them.
protocol SizedStructure: Growing {
  init()
  var size: Int32 { get set }
  /// What the fields are that an older client does not have.
  static var standard: Self { get }
}

/// A size that a header may have said, from that of the first one: all structures consist of eights of bytes, and a
/// page is more than any of them.
@inline(never)
private func checked(_ size: Int32, from first: Int) throws(Failure) -> Int {
  guard size >= first, size <= 4096, size & 7 == 0 else { throw .size }
  return Int(size)
}

/// Copies what both have, and sets the rest of the target to zeros.
///
/// Unsafe: the caller says how many bytes there are of each.
@inline(never)
private func copy(_ source: UnsafeRawPointer, _ known: Int, to target: UnsafeMutableRawPointer, _ size: Int) {
  target.copyMemory(from: source, byteCount: min(size, known))
  if size > known { (target + known).initializeMemory(as: UInt8.self, repeating: 0, count: size - known) }
}

/// Over `target`, what an older client does not have; a newer one has zeros in what is not known here.
///
/// Unsafe: the client's structure, of which it has said how many bytes there are; no other is touched.
@inline(never)
private func read(_ client: UnsafeRawPointer, _ first: Int, to target: UnsafeMutableRawPointer, _ known: Int)
  throws(Failure)
{
  let size = try checked(client.loadUnaligned(as: Int32.self), from: first)
  if size > known {
    for offset in known..<size where client.load(fromByteOffset: offset, as: UInt8.self) != 0 { throw .newer }
  }
  target.copyMemory(from: client, byteCount: min(size, known))
}

extension SizedStructure {
  static var standard: Self { Self() }

  /// What the client gives, and the standard for what it does not have.
  init(_ client: Borrowed<Self>) throws(Failure) {
    self = .standard
    // unsafe: of our own bytes, no more than there are
    try withUnsafeMutablePointer(to: &self) { own throws(Failure) in
      try read(client, Self.firstSize, to: own, MemoryLayout<Self>.size)
    }
  }

  /// Writes as much as the client has room for; what it says of the size stays.
  func write(to client: Lent<Self>?) throws(Failure) {
    guard let client else { throw .null }
    try write(to: client, UnsafeRawPointer(client).loadUnaligned(as: Int32.self))  // unsafe: the size is always there
  }

  func write(to client: Lent<Self>, _ size: Int32) throws(Failure) {
    var source = self
    source.size = size
    let bytes = try checked(size, from: Self.firstSize)
    // unsafe: of our own bytes, no more than there are
    withUnsafePointer(to: source) { copy($0, MemoryLayout<Self>.size, to: client, bytes) }
  }
}

/// Writes as many items as fit, each in `size` bytes, and how many there are.
func write<Source, Item: Growing>(
  _ items: [Source], _ size: Int32, _ capacity: Int64, _ memory: Lent<Item>?, _ count: Lent<Int64>?,
  _ convert: (Source) -> Item
) throws(Failure) {
  guard let count else { throw .null }
  let size = try checked(size, from: Item.firstSize)
  guard capacity >= 0 else { throw .size }
  count.pointee = Int64(items.count)
  guard let memory else { return }
  let list = UnsafeMutableRawPointer(memory)  // unsafe: the client has said that `capacity` items of `size` bytes fit
  for index in 0..<min(items.count, Int(clamping: capacity)) {
    // unsafe: of our own bytes, no more than there are
    withUnsafePointer(to: convert(items[index])) {
      copy($0, MemoryLayout<Item>.size, to: list + index * size, size)
    }
  }
}

extension Optional {
  /// Nil where the client gives none.
  func value<Structure: SizedStructure>() throws(Failure) -> Structure? where Wrapped == Borrowed<Structure> {
    guard let self else { return nil }
    return try Structure(self)
  }
}

/// A place in the client's memory, from which rows of numbers are read at the strides that it has given.
///
/// Unsafe: the client has said that as many rows are there as it gives; no bound is stored.
struct Place {
  private let address: UnsafeRawPointer

  /// Of what does not exist, and is never read.
  static var nowhere: Self { Self(address: UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped) }

  @inline(__always)
  func number<Number: BitwiseCopyable>(_ offset: Int, _ type: Number.Type) -> Number {
    address.loadUnaligned(fromByteOffset: offset, as: type)
  }

  /// Nil unless this, `y` and `z` are columns of one array of numbers without gaps.
  func array(_ y: Self, _ z: Self) -> Borrowed<Double>? {
    guard y.address == address + 8, z.address == address + 16, UInt(bitPattern: address) & 7 == 0 else { return nil }
    return address.assumingMemoryBound(to: Double.self)
  }
}

extension Place {
  init?(_ start: UnsafeRawPointer?) {  // unsafe: as above
    guard let start else { return nil }
    address = start
  }
}

/// A row of the client's table of results.
///
/// Unsafe: the client has said that as many rows are there as it gives; no bound is stored.
struct Target {
  private let address: UnsafeMutableRawPointer

  @inline(__always)
  init?(_ start: UnsafeMutableRawPointer?, row: Int, stride: Int64) {
    guard let start else { return nil }
    address = start + row &* Int(truncatingIfNeeded: stride)
  }

  @inline(__always)
  func store<Number: BitwiseCopyable>(_ number: Number, _ offset: Int = 0) {
    address.storeBytes(of: number, toByteOffset: offset, as: Number.self)
  }
}

// MARK: What the client holds

/// A value in memory of its own, for which a pointer of C stands.
///
/// Unsafe: the memory is the library's; the client's pointer is all that knows of it.
func allocate<Value>(_ value: Value) throws(Failure) -> OpaquePointer {
  var memory: UnsafeMutableRawPointer?
  let alignment = max(MemoryLayout<Value>.alignment, MemoryLayout<Int>.size)
  guard posix_memalign(&memory, alignment, MemoryLayout<Value>.size) == 0, let memory else { throw .memory }
  memory.initializeMemory(as: Value.self, to: value)
  return OpaquePointer(memory)
}

/// Sets the client's pointer to what `value` gives, or to null.
func make<Value>(_ pointer: Lent<OpaquePointer?>?, _ value: () throws(Failure) -> Value) -> Int32 {
  guard let pointer else { return Failure.null.rawValue }
  pointer.pointee = nil
  return code { () throws(Failure) in pointer.pointee = try allocate(value()) }
}

/// Unsafe: the client gives back what it was given by ``allocate(_:)``, once.
func deallocate<Value>(_ pointer: OpaquePointer?, _ type: Value.Type) {
  guard let pointer else { return }
  Lent<Value>(pointer).deinitialize(count: 1)
  free(UnsafeMutableRawPointer(pointer))
}

/// The value for which a pointer of the client stands.
func value<Value>(_ pointer: OpaquePointer?, _ type: Value.Type) throws(Failure) -> Lent<Value> {
  guard let pointer else { throw .null }
  return Lent(pointer)
}

// MARK: C's types as Swift's

/// An array of C, which is a tuple in Swift, as one of Swift's; or the other way round.
///
/// Unsafe: both are the same bytes of plain numbers.
func recast<Array: BitwiseCopyable, Other: BitwiseCopyable>(_ array: Array, as type: Other.Type) -> Other {
  precondition(MemoryLayout<Array>.size == MemoryLayout<Other>.size)
  return unsafeBitCast(array, to: type)
}

extension StaticString {
  /// For C; it ends with a zero.
  ///
  /// Unsafe: a literal is a constant of the program.
  var characters: Borrowed<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}
