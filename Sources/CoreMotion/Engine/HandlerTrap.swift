// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Names the handler that stops a program because it belongs to the main actor and is called on another queue (G29).
///
/// Swift stops such a program by a trap in libdispatch, as on Apple's systems; there the crash report has the reason,
/// and on Linux nothing is printed. So a signal handler writes one line when the trap is in libdispatch and one of our
/// handlers runs on the thread. It then restores what was installed before and returns: the trap occurs again and takes
/// its usual way, with a core file or a backtrace. In a statically linked program the two cannot be distinguished, and
/// nothing is written. Unsafe: what a signal handler reads must lie in C's memory, and the system gives it addresses.
enum HandlerTrap {
  /// What is written for a handler. The signal handler reads the bytes, so they stay where they are.
  ///
  /// `@unchecked Sendable`: the bytes do not change.
  final class Text: @unchecked Sendable {
    fileprivate let bytes: UnsafeMutablePointer<CChar>?

    /// `what` names the handler: "The handler for CMDeviceMotion"; `takesQueue`: whether its start has a queue to pass.
    init(_ what: String, takesQueue: Bool) {
      let remedy = takesQueue ? "Pass OperationQueue.main as its queue, or begin" : "Begin"
      bytes = strdup(
        "CoreMotion: \(what) belongs to the main actor and was called on another queue, which stops the program. \(remedy) the closure with “@Sendable” (a delegate's method with “nonisolated”) and go to the main actor inside it: Task { @MainActor in … }\n"
      )
    }

    deinit { free(bytes) }
  }

  /// Of the calls whose receiver has no type of its own: answers and delegates.
  static let answer = Text("A handler or a delegate", takesQueue: false)

  /// Runs `body`; a trap in it is explained with `text`.
  static func explaining(_ text: Text?, _ body: () -> Void) {
    guard let text, let key else { return body() }
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, text.bytes)
    body()
    pthread_setspecific(key, outer)
  }

  /// The text of the handler that runs on a thread. Nil: the signals are not watched.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    guard dispatchBase != nil, pthread_key_create(&key, nil) == 0 else { return nil }
    var action = sigaction()
    action.__sigaction_handler.sa_sigaction = report
    action.sa_flags = SA_SIGINFO | Int32(SA_ONSTACK)
    // An illegal instruction on x86, a breakpoint on ARM.
    for (index, signal) in signals.enumerated() { sigaction(signal, &action, previous + index) }
    return key
  }()

  private static let signals = [SIGILL, SIGTRAP]
  private static let previous = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 2)
    actions.initialize(repeating: sigaction(), count: 2)
    return actions
  }()

  /// Only what a signal handler may do: no allocation, no lock; everything used has been made before.
  private static let report:
    @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void =
      { signal, info, _ in
        if let key = HandlerTrap.key, let text = pthread_getspecific(key),
          let base = base(of: info?.pointee._sifields._sigfault.si_addr), base == HandlerTrap.dispatchBase
        {
          _ = write(STDERR_FILENO, text, strlen(text.assumingMemoryBound(to: CChar.self)))
        }
        sigaction(signal, HandlerTrap.previous + (signal == SIGILL ? 0 : 1), nil)
      }

  /// Where libdispatch is loaded; nil when it is part of this library's own file.
  private static let dispatchBase: UnsafeRawPointer? = {
    let dispatch = base(of: dlsym(nil, "dispatch_assert_queue"))
    return dispatch == base(of: unsafeBitCast(report, to: UnsafeRawPointer.self)) ? nil : dispatch
  }()

  /// The beginning of the file that an address was loaded from.
  private static func base(of address: UnsafeRawPointer?) -> UnsafeRawPointer? {
    // Dl_info: file, beginning, symbol, address of the symbol.
    var info: (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?) = (nil, nil, nil, nil)
    guard let address, let find = addressInfo, find(address, &info) != 0 else { return nil }
    return info.1
  }

  private typealias AddressInfo = @convention(c) (UnsafeRawPointer?, UnsafeMutableRawPointer?) -> Int32
  /// `dladdr`, which Swift's overlay does not show.
  private static let addressInfo = dlsym(nil, "dladdr").map { unsafeBitCast($0, to: AddressInfo.self) }
}
