// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The clock of Core Animation. There are no layers, no animations and no display link.

@_exported public import CoreGraphics

/// Seconds.
public typealias CFTimeInterval = Double

/// Seconds since the computer started, without the time it slept: the clock of `CMLogItem.timestamp`.
public func CACurrentMediaTime() -> CFTimeInterval {
  ProcessInfo.processInfo.systemUptime
}
