// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

/// Hands out the accelerometer's samples and device motion by the second instead of one by one: for motion that is too
/// fast for 100 Hz, such as strokes and impacts.
///
/// ```swift
/// let manager = CMBatchedSensorManager()
/// for try await batch in manager.accelerometerUpdates() {
///   print(batch.count, batch.map(\.acceleration.x).max() ?? 0)
/// }
/// ```
///
/// * A batch is contiguous and holds about a second: it ends at a whole second of the samples' own time. The first is
///   partial. Its samples keep their own time stamps.
/// * The accelerometer comes at the source's highest rate. Device motion is fused from every gyroscope sample and then
///   reduced to at most 200 Hz behind a low-pass filter (`MotionDecimator` in MotionServices), so that nothing faster
///   folds into it; a state has the time of the sample it stands on, and comes 40 ms later. The two streams of a source
///   end their batches at the same borders: sample 4 i of an 800 Hz batch belongs to state i of the 200 Hz batch.
///   (Where a source's accelerometer is faster than its gyroscope, a state's acceleration is that of the nearest
///   sample.)
/// * Handlers run on a queue of the manager's own, one batch at a time.
/// * Without an active workout a start gives one `CMErrorNotAuthorized` and no data (D17; the host's policy, by default
///   active).
///
/// Keep the manager: when the last reference goes, its updates end. An asynchronous sequence lives by itself, as long
/// as its iterator. Every member may be used from any thread.
open class CMBatchedSensorManager: NSObject {
  /// Batches that a client may owe before a recording or a simulation waits for it.
  static let window = 4

  private let hosts = ManagerHost()
  private let accelerometer = UpdateService<[AccelerometerSample], [CMAccelerometerData]>(makesOnQueue: true) {
    $0.map { CMAccelerometerData($0) }
  }
  private let motion = UpdateService<[MotionRow], [CMDeviceMotion]>(makesOnQueue: true) {
    $0.map { CMDeviceMotion($0) }
  }
  private let queue = OperationQueue.serial(named: "batched motion")

  public override init() {
    super.init()
    // Every sample, at the source's own rate.
    accelerometer.interval = 0
    motion.interval = 0
  }

  /// Whether the program may read motion.
  open class var authorizationStatus: CMAuthorizationStatus { MotionHost.current.clientAuthorization }
  /// Whether the source measures specific force. Look at ``accelerometerDataFrequency`` for how fast.
  open class var isAccelerometerSupported: Bool { MotionHost.current.device(serving: .accelerometer) != nil }
  /// Whether the source has an accelerometer and a gyroscope, or fuses motion itself.
  open class var isDeviceMotionSupported: Bool { MotionHost.current.device(serving: motionStream) != nil }

  // MARK: Accelerometer

  /// Hz, rounded: the source's highest rate; 0 without an accelerometer, or before the rate of a source that does not
  /// state it is known.
  open var accelerometerDataFrequency: Int {
    Self.frequency(host.device(serving: .accelerometer).flatMap { BatchRates($0).accelerometer })
  }
  /// True from start to stop of this service; an asynchronous sequence does not count.
  open var isAccelerometerActive: Bool { accelerometer.isActive }
  /// The latest batch; nil before the first and after stop. g, device axes.
  open var accelerometerBatch: [CMAccelerometerData]? { accelerometer.latestObject }
  /// Starts in pull mode. Without an accelerometer the log says so (D43).
  open func startAccelerometerUpdates() { startAccelerometer(nil) }
  /// Starts in push mode, or replaces the handler of a service that runs; it gets a batch or an error, on a queue of
  /// the manager's own.
  open func startAccelerometerUpdates(handler: @escaping ([CMAccelerometerData]?, (any Error)?) -> Void) {
    startAccelerometer(handler)
  }
  /// Ends the service; the unfinished batch is dropped. Never waits.
  open func stopAccelerometerUpdates() { accelerometer.stop() }

  // MARK: Device motion

  /// Hz, rounded, at most 200 give or take a tenth; 0 without device motion, or before the rate of a source that does
  /// not state it is known.
  open var deviceMotionDataFrequency: Int {
    Self.frequency(host.device(serving: Self.motionStream).flatMap { BatchRates($0).deviceMotion })
  }
  /// True from start to stop of this service; an asynchronous sequence does not count.
  open var isDeviceMotionActive: Bool { motion.isActive }
  /// The latest batch; nil before the first and after stop. In the frame `.xArbitraryZVertical`.
  open var deviceMotionBatch: [CMDeviceMotion]? { motion.latestObject }
  /// Starts in pull mode. Without device motion the log says so (D43).
  open func startDeviceMotionUpdates() { startMotion(nil) }
  /// Starts in push mode, or replaces the handler of a service that runs; it gets a batch or an error, on a queue of
  /// the manager's own.
  open func startDeviceMotionUpdates(handler: @escaping ([CMDeviceMotion]?, (any Error)?) -> Void) {
    startMotion(handler)
  }
  /// Ends the service; the unfinished batch is dropped. Never waits.
  open func stopDeviceMotionUpdates() { motion.stop() }
}

extension CMBatchedSensorManager {
  static let motionStream = HubStream.deviceMotion(usesMagnetometer: false)

  static var workoutError: NSError {
    CMErrorNotAuthorized.error("Batched sensors deliver only while a workout is active, and none is.")
  }

  private var host: MotionHost { hosts.current }

  private static func frequency(_ rate: Double?) -> Int {
    guard let rate, rate.isFinite, rate < 1e9 else { return 0 }
    return Int(clamping: rate.rounded())
  }

  private func startAccelerometer(_ handler: (([CMAccelerometerData]?, (any Error)?) -> Void)?) {
    start(accelerometer, .accelerometer, handler, make: BatchTranslator.accelerometer)
  }

  private func startMotion(_ handler: (([CMDeviceMotion]?, (any Error)?) -> Void)?) {
    start(motion, Self.motionStream, handler, make: BatchTranslator.deviceMotion)
  }

  private func start<Value, Object>(
    _ service: UpdateService<[Value], Object>, _ stream: HubStream,
    _ handler: UpdateService<[Value], Object>.Handler?, make: (MotionHub, MotionHost) -> BatchTranslator<Value>
  ) {
    let host = host
    let start = HandlerStart(host, to: queue, isOwn: true, for: Object.self, window: Self.window)
    guard let hub = host.device(serving: stream) else { return start.refuse(host.refusal(of: stream), handler) }
    guard host.policy.hasActiveWorkout else { return start.refuse(Self.workoutError, handler) }
    // Kept by a restart, which so loses nothing of the second that has begun.
    let running: BatchTranslator<Value>? = service.translator(on: host)
    let translator = running ?? make(hub, host)
    service.start(
      stream, of: hub, start, handler, keepsLatest: running != nil, translator: translator, sink: translator.sink)
  }
}

extension CMBatchedSensorManager {
  /// The accelerometer's batches as an asynchronous sequence; each iteration is a stream of its own.
  public func accelerometerUpdates() -> CMBatchedSensorManager.AccelerometerUpdates {
    AccelerometerUpdates(host: host)
  }

  /// The batches of device motion as an asynchronous sequence; each iteration is a stream of its own.
  public func deviceMotionUpdates() -> CMBatchedSensorManager.DeviceMotionUpdates { DeviceMotionUpdates(host: host) }

  /// Batches of accelerometer samples, about one a second.
  ///
  /// The stream begins when the iterator is made and ends when it goes: leaving the loop is enough (S80). It ends by
  /// itself, with nil, behind the last batch of a recording and when the task is cancelled. It throws an error of
  /// `CMErrorDomain` when the source fails, when there is none, and when no workout is active (D17).
  public struct AccelerometerUpdates: AsyncSequence {
    /// A batch, in order of time.
    public typealias Element = [CMAccelerometerData]
    let host: MotionHost

    /// The stream itself; it stops when the last copy goes.
    public struct Iterator: AsyncIteratorProtocol {
      let stream: BatchStream<AccelerometerSample>

      /// The next batch, as soon as its second is over; nil at the end.
      public mutating func next() async throws -> Element? { try await stream.next()?.map { CMAccelerometerData($0) } }
    }

    /// Starts a stream.
    public func makeAsyncIterator() -> Iterator {
      Iterator(
        stream: BatchStream(.accelerometer, of: host, make: BatchTranslator.accelerometer))
    }
  }

  /// Batches of device motion, about one a second; otherwise as ``AccelerometerUpdates``.
  public struct DeviceMotionUpdates: AsyncSequence {
    /// A batch, in order of time.
    public typealias Element = [CMDeviceMotion]
    let host: MotionHost

    /// The stream itself; it stops when the last copy goes.
    public struct Iterator: AsyncIteratorProtocol {
      let stream: BatchStream<MotionRow>

      /// The next batch, as soon as its second is over; nil at the end.
      public mutating func next() async throws -> Element? { try await stream.next()?.map { CMDeviceMotion($0) } }
    }

    /// Starts a stream.
    public func makeAsyncIterator() -> Iterator {
      Iterator(
        stream: BatchStream(
          CMBatchedSensorManager.motionStream, of: host, make: BatchTranslator.deviceMotion))
    }
  }
}
