// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A manager of Core Motion on its way to the closure that stops it.
///
/// `@unchecked Sendable`: the manager is made and started by one thread, before the box is shared; behind that it is
/// used once, by the stop, and Core Motion's managers may be stopped and released on any thread. What else is in the
/// box, such as a delegate, is only kept alive.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
struct Managed<Manager>: @unchecked Sendable {
  let manager: Manager

  init(_ manager: Manager) { self.manager = manager }
}

@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
extension SampleBuffer {
  /// Core Motion's handler for this stream: copies the numbers, tells notices, and ends at an error.
  func handler<Object>(
    onNotice: (@Sendable (MotionError) -> Void)? = nil, _ make: @escaping (Object) -> Element
  ) -> (Object?, (any Error)?) -> Void {
    { [self] object, error in
      if let object { append(make(object)) }
      if let error { receive(error, onNotice: onNotice) }
    }
  }

  /// An error of Core Motion's: a notice is passed on, anything else is the end.
  func receive(_ error: any Error, onNotice: (@Sendable (MotionError) -> Void)? = nil) {
    let error = MotionError(error)
    if error.isNotice { (onNotice ?? MotionError.log)(error) } else { end(error) }
  }
}
