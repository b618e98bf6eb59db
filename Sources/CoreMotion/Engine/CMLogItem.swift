// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A sample with the time at which it was taken: the base of the sample classes.
///
/// Open and constructible, so that tests can subclass it and override what they need. An object made with `init()` answers
/// every property with zero.
open class CMLogItem: NSObject, NSCopying, NSSecureCoding {
  private let storedTimestamp: TimeInterval

  /// Seconds since the device booted (CLOCK_MONOTONIC: time asleep does not count). A replay keeps the recorded value.
  open var timestamp: TimeInterval { storedTimestamp }

  public override init() {
    storedTimestamp = 0
    super.init()
  }

  /// A sample taken at a time in seconds.
  package init(timestamp: TimeInterval) {
    storedTimestamp = timestamp
    super.init()
  }

  public required init?(coder: NSCoder) {
    storedTimestamp = coder.number("timestamp")
    super.init()
  }

  /// Writes the time stamp.
  open func encode(with coder: NSCoder) { coder.encode(timestamp, forKey: "timestamp") }

  /// The sample itself: it cannot change. (``CMDeviceMotion`` and ``CMAttitude``, which can, copy themselves.)
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  open class var supportsSecureCoding: Bool { true }
}
