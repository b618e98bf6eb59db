// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The latest value of a service, and the object made from it when somebody asks.
///
/// Pull clients look rarely and sources are fast: the object is made on the first read and stays the same until the next
/// sample. It is never the object that a handler gets, because an attitude can be changed.
///
/// `@unchecked Sendable`: all state is behind the lock; `make` only builds an object from a value.
final class LatestSample<Value: Sendable, Object>: @unchecked Sendable {
  private struct State {
    var value: Value?
    var object: Object?
  }

  private let state = Lock(State())
  private let make: (Value) -> Object

  init(make: @escaping (Value) -> Object) { self.make = make }

  func set(_ value: Value?) {
    let old = state.withLock { state -> Object? in
      let old = state.object
      state = State(value: value)
      return old
    }
    // A client's subclass could do anything in its deinit: outside the lock.
    withExtendedLifetime(old) {}
  }

  var object: Object? {
    state.withLock { state in
      if state.object == nil, let value = state.value { state.object = make(value) }
      return state.object
    }
  }
}
