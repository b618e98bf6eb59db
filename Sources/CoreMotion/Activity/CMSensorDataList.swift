// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Recorded samples, oldest first. It can be enumerated and nothing else (S76); each element is a
/// ``CMRecordedAccelerometerData``.
///
/// Not a `Sequence`, as on Apple's systems: a client that wants `for … in` declares the conformance
/// (see ``NSFastEnumerationIterator``). An object made with `init()` is empty.
open class CMSensorDataList: NSObject, NSFastEnumeration {
  private let elements: () -> AnyIterator<CMRecordedAccelerometerData>

  public override init() {
    elements = { AnyIterator { nil } }
    super.init()
  }

  /// A list that makes its elements while they are read; `elements` begins a new pass at each call.
  package init(_ elements: @escaping () -> AnyIterator<CMRecordedAccelerometerData>) {
    self.elements = elements
    super.init()
  }

  /// Begins a new pass over the samples.
  open func makeFastEnumerationIterator() -> AnyIterator<Any> {
    let elements = elements()
    return AnyIterator { elements.next() }
  }
}

/// Something whose elements can be gone through one after the other. Foundation declares it on Apple's systems but not
/// here; it exists for one idiom of client code (G32):
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
