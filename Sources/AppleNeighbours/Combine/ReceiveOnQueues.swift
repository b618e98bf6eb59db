// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#if Combine
public import Dispatch
public import Foundation

// OpenCombine keeps its schedulers behind a property (`DispatchQueue.main.ocombine`), because a class of another module can
// conform to a protocol only once. These operators accept the class itself, as client code writes it.

extension Publisher {
  /// Delivers elements on a dispatch queue.
  public func receive(on queue: DispatchQueue)
    -> Publishers.ReceiveOn<Self, DispatchQueue.OCombine>
  {
    receive(on: queue.ocombine)
  }

  /// Delivers elements on an operation queue.
  public func receive(on queue: OperationQueue)
    -> Publishers.ReceiveOn<Self, OperationQueue.OCombine>
  {
    receive(on: queue.ocombine)
  }

  /// Delivers elements on a run loop.
  public func receive(on loop: RunLoop) -> Publishers.ReceiveOn<Self, RunLoop.OCombine> {
    receive(on: loop.ocombine)
  }

  /// Subscribes on a dispatch queue.
  public func subscribe(on queue: DispatchQueue)
    -> Publishers.SubscribeOn<Self, DispatchQueue.OCombine>
  {
    subscribe(on: queue.ocombine)
  }

  /// Delivers the newest element once `dueTime` has passed without another.
  public func debounce(for dueTime: DispatchQueue.OCombine.SchedulerTimeType.Stride, scheduler queue: DispatchQueue)
    -> Publishers.Debounce<Self, DispatchQueue.OCombine>
  {
    debounce(for: dueTime, scheduler: queue.ocombine)
  }

  /// Delivers the newest element once `dueTime` has passed without another.
  public func debounce(for dueTime: RunLoop.OCombine.SchedulerTimeType.Stride, scheduler loop: RunLoop)
    -> Publishers.Debounce<Self, RunLoop.OCombine>
  {
    debounce(for: dueTime, scheduler: loop.ocombine)
  }
}

extension NotificationCenter {
  /// A publisher of the notifications with a name, of any object or of one.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> OCombine.Publisher {
    ocombine.publisher(for: name, object: object)
  }
}

extension Timer {
  /// A publisher of the time, every `interval` seconds.
  public static func publish(
    every interval: TimeInterval, tolerance: TimeInterval? = nil, on loop: RunLoop, in mode: RunLoop.Mode
  ) -> OCombine.TimerPublisher {
    OCombine.publish(every: interval, tolerance: tolerance, on: loop, in: mode)
  }
}
#endif
