// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing

/// Which host a manager belongs to.
extension MotionHost {
  /// The host of the scope that runs now; bound by ``run(_:)-swift.method`` and around every handler.
  @TaskLocal public static var scoped: MotionHost?

  /// The one place of global mutable state: the process's host.
  private struct Process {
    var installed: [(key: Int, host: MotionHost)] = []
    var nextKey = 0
    var environment: MotionHost?
  }

  private static let process = Lock(Process())

  /// The host for a manager that is made here and now.
  public static var current: MotionHost { scoped ?? processHost }

  /// The host outside every scope: the one installed last, else the one that the environment asks for.
  public static var processHost: MotionHost {
    if let host = process.withLock({ $0.installed.last?.host ?? $0.environment }) { return host }
    // Opening a source may take a while: outside the lock. Whoever comes first wins.
    let made = HostEnvironment(ProcessInfo.processInfo.environment).makeHost()
    return process.withLock { process in
      if let host = process.installed.last?.host ?? process.environment { return host }
      process.environment = made
      return made
    }
  }

  /// Runs `body` with this host in scope: managers made inside belong to it, and their handlers see it again.
  public func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    do {
      return try Self.$scoped.withValue(self) { try body() }
    } catch let error as Failure {
      throw error
    } catch {
      // `withValue` rethrows what `body` throws and nothing else.
      preconditionFailure("A scope threw \(error), which its body cannot throw.")
    }
  }

  /// The same for asynchronous code.
  public func run<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await Self.$scoped.withValue(self, operation: body, isolation: isolation)
  }

  /// Makes this the process's host until the installation is removed: for XCTest's `setUp` and `tearDown`, where no scope can
  /// be bound around a test. Swift Testing runs tests side by side: bind a scope there instead.
  ///
  /// ```swift
  /// override func setUp() { installation = MotionHost(device: source).install() }
  /// override func tearDown() { installation.remove() }
  /// ```
  public func install() -> Installation { install(belowAll: false) }

  /// `belowAll`: behind what is installed already, instead of the host that the environment asks for.
  package func install(belowAll: Bool) -> Installation {
    let key = Self.process.withLock { process in
      process.nextKey += 1
      process.installed.insert((process.nextKey, self), at: belowAll ? 0 : process.installed.count)
      return process.nextKey
    }
    return Installation(key: key)
  }

  /// A host's time as the process's host.
  public struct Installation: Sendable {
    let key: Int
    /// Puts the host back that was there before. Further calls do nothing.
    public func remove() {
      let removed = MotionHost.process.withLock { process -> MotionHost? in
        guard let index = process.installed.firstIndex(where: { $0.key == key }) else { return nil }
        return process.installed.remove(at: index).host
      }
      withExtendedLifetime(removed) {}
    }
  }
}
