// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Something whose elements can be gone through one after the other. Foundation declares it on Apple's systems but not here;
/// it exists for one idiom of client code (G32):
///
/// ```swift
/// extension CMSensorDataList: Sequence {
///   public func makeIterator() -> NSFastEnumerationIterator { NSFastEnumerationIterator(self) }
/// }
/// ```
public protocol NSFastEnumeration {
  /// Begins a new pass over the elements.
  func makeFastEnumerationIterator() -> AnyIterator<Any>
}

/// One pass over the elements of something that can be enumerated.
public struct NSFastEnumerationIterator: IteratorProtocol {
  private let elements: AnyIterator<Any>

  /// Begins a new pass.
  public init(_ enumerable: any NSFastEnumeration) { elements = enumerable.makeFastEnumerationIterator() }

  /// The next element; nil at the end.
  public mutating func next() -> Any? { elements.next() }
}
