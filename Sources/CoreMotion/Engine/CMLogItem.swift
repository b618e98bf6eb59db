// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

/// A sample with the time at which it was taken: the base of the sample classes.
///
/// Open and constructible, so that tests can subclass it and override what they need. An object made with `init()`
/// answers every property with zero.
///
/// Inside this module a sample class has stored properties with defaults and no designated initialiser, so that it
/// inherits those of this class, and `code(_:)` for its archive. Storage is written while an object is made, never
/// afterwards.
open class CMLogItem: NSObject, NSCopying, NSSecureCoding, ArchivedSample {
  /// The time, and the vector of the subclasses that hold one.
  final var storedTimestamp: TimeInterval = 0
  final var vector = Vector3<Device>.zero

  /// Seconds since the device booted (CLOCK_MONOTONIC: time asleep does not count). A replay keeps the recorded value.
  open var timestamp: TimeInterval { storedTimestamp }

  public override init() { super.init() }

  /// A sample taken at a time in seconds; `vector` in the unit of its class, for those that hold one.
  package init(timestamp: TimeInterval, vector: Vector3<Device> = .zero) {
    (storedTimestamp, self.vector) = (timestamp, vector)
    super.init()
  }

  func code(_ archive: SampleArchive) {
    archive.code("timestamp", timestamp, or: 0) { storedTimestamp = $0 }
  }

  public required init?(coder: NSCoder) {
    super.init()
    guard read(from: coder) else { return nil }
  }

  /// Writes every property.
  open func encode(with coder: NSCoder) { write(to: coder) }

  /// The sample itself: it cannot change. (``CMDeviceMotion`` and ``CMAttitude``, which can, copy themselves.)
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The class and its values by name; for people, not for programs.
  open override var description: String { fieldDescription }

  /// True.
  open class var supportsSecureCoding: Bool { true }
}
