// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionServices

extension CMBatchedSensorManager {
  /// The accelerometer's batches as an asynchronous sequence; each iteration is a stream of its own.
  public func accelerometerUpdates() -> CMBatchedSensorManager.AccelerometerUpdates {
    AccelerometerUpdates(host: host)
  }

  /// The batches of device motion as an asynchronous sequence; each iteration is a stream of its own.
  public func deviceMotionUpdates() -> CMBatchedSensorManager.DeviceMotionUpdates { DeviceMotionUpdates(host: host) }

  /// Batches of accelerometer samples, about one a second.
  ///
  /// The stream begins when the iterator is made and ends when it goes: leaving the loop is enough (S80). It ends by itself, with
  /// nil, behind the last batch of a recording and when the task is cancelled. It throws an error of `CMErrorDomain` when the
  /// source fails, when there is none, and when no workout is active (D17).
  public struct AccelerometerUpdates: AsyncSequence {
    /// A batch, in order of time.
    public typealias Element = [CMAccelerometerData]
    let host: MotionHost

    /// The stream itself; it stops when the last copy goes.
    public struct Iterator: AsyncIteratorProtocol {
      let stream: BatchStream<VectorValue>

      /// The next batch, as soon as its second is over; nil at the end.
      public mutating func next() async throws -> Element? { try await stream.next()?.map(CMAccelerometerData.init) }
    }

    /// Starts a stream.
    public func makeAsyncIterator() -> Iterator {
      let stream = BatchStream<VectorValue>()
      guard let hub = CMBatchedSensorManager.hub(for: .accelerometer, in: host) else {
        stream.refuse(CMErrorNotAvailable.error("There is no accelerometer on this device."))
        return Iterator(stream: stream)
      }
      stream.start(.accelerometer, of: hub, translator: .accelerometer(of: hub, host: host))
      return Iterator(stream: stream)
    }
  }

  /// Batches of device motion, about one a second; otherwise as ``AccelerometerUpdates``.
  public struct DeviceMotionUpdates: AsyncSequence {
    /// A batch, in order of time.
    public typealias Element = [CMDeviceMotion]
    let host: MotionHost

    /// The stream itself; it stops when the last copy goes.
    public struct Iterator: AsyncIteratorProtocol {
      let stream: BatchStream<DeviceMotionValue>

      /// The next batch, as soon as its second is over; nil at the end.
      public mutating func next() async throws -> Element? { try await stream.next()?.map { CMDeviceMotion($0) } }
    }

    /// Starts a stream.
    public func makeAsyncIterator() -> Iterator {
      let stream = BatchStream<DeviceMotionValue>()
      guard let hub = CMBatchedSensorManager.hub(for: CMBatchedSensorManager.motionStream, in: host) else {
        stream.refuse(CMErrorNotAvailable.error("There is no device motion on this device."))
        return Iterator(stream: stream)
      }
      stream.start(
        CMBatchedSensorManager.motionStream, of: hub, translator: .deviceMotion(of: hub, host: host))
      return Iterator(stream: stream)
    }
  }
}
