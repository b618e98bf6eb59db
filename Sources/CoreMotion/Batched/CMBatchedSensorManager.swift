// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

/// Hands out the accelerometer's samples and device motion by the second instead of one by one: for motion that is too fast for
/// 100 Hz, such as strokes and impacts.
///
/// ```swift
/// let manager = CMBatchedSensorManager()
/// for try await batch in manager.accelerometerUpdates() {
///   print(batch.count, batch.map(\.acceleration.x).max() ?? 0)
/// }
/// ```
///
/// * A batch is contiguous and holds about a second: it ends at a whole second of the samples' own time. The first is partial.
///   Its samples keep their own time stamps.
/// * The accelerometer comes at the source's highest rate. Device motion is fused from every gyroscope sample and then reduced to
///   at most 200 Hz behind a low-pass filter (`MotionDecimator` in MotionServices), so that nothing faster folds into it; a state
///   has the time of the sample it stands on, and comes 40 ms later. The two streams of a source end their batches at the same
///   borders: sample 4 i of an 800 Hz batch belongs to state i of the 200 Hz batch.
///   (Where a source's accelerometer is faster than its gyroscope, a state's acceleration is that of the nearest sample.)
/// * Handlers run on a queue of the manager's own, one batch at a time.
/// * Without an active workout a start gives one `CMErrorNotAuthorized` and no data (D17; the host's policy, by default active).
///
/// Keep the manager: when the last reference goes, its updates end. An asynchronous sequence lives by itself, as long as its
/// iterator. Every member may be used from any thread.
open class CMBatchedSensorManager: NSObject {
  /// Batches that a client may owe before a recording or a simulation waits for it.
  static let window = 4

  private let created: MotionHost
  private let accelerometer = UpdateService<[VectorValue], [CMAccelerometerData]>(makesOnQueue: true) {
    $0.map(CMAccelerometerData.init)
  }
  private let motion = UpdateService<[DeviceMotionValue], [CMDeviceMotion]>(makesOnQueue: true) {
    $0.map { CMDeviceMotion($0) }
  }
  private let queue: OperationQueue
  /// Of the services that run, so that a restart loses nothing of the second that has begun.
  private let translators = Lock<(BatchTranslator<VectorValue>?, BatchTranslator<DeviceMotionValue>?)>((nil, nil))

  public override init() {
    created = MotionHost.current
    queue = OperationQueue()
    queue.name = "batched motion"
    queue.maxConcurrentOperationCount = 1
    queue.qualityOfService = .userInitiated
    super.init()
    // Every sample, at the source's own rate.
    accelerometer.interval = 0
    motion.interval = 0
  }

  /// Whether the program may read motion.
  open class var authorizationStatus: CMAuthorizationStatus {
    CMAuthorizationStatus(rawValue: MotionHost.current.policy.effectiveAuthorization.rawValue) ?? .notDetermined
  }
  /// Whether the source measures specific force. Look at ``accelerometerDataFrequency`` for how fast.
  open class var isAccelerometerSupported: Bool { hub(for: .accelerometer, in: .current) != nil }
  /// Whether the source has an accelerometer and a gyroscope, or fuses motion itself.
  open class var isDeviceMotionSupported: Bool { hub(for: motionStream, in: .current) != nil }

  // MARK: Accelerometer

  /// Hz, rounded: the source's highest rate; 0 without an accelerometer, or before the rate of a source that does not tell it is
  /// known.
  open var accelerometerDataFrequency: Int {
    Self.frequency(Self.hub(for: .accelerometer, in: host).flatMap { BatchRates($0).accelerometer })
  }
  /// True from start to stop of this service; an asynchronous sequence does not count.
  open var isAccelerometerActive: Bool { accelerometer.isActive }
  /// The latest batch; nil before the first and after stop. g, device axes.
  open var accelerometerBatch: [CMAccelerometerData]? { accelerometer.latestObject }
  /// Starts in pull mode. No effect without an accelerometer.
  open func startAccelerometerUpdates() { startAccelerometer(nil) }
  /// Starts in push mode, or replaces the handler of a service that runs; it gets a batch or an error, on a queue of the manager's
  /// own.
  open func startAccelerometerUpdates(handler: @escaping ([CMAccelerometerData]?, (any Error)?) -> Void) {
    startAccelerometer(handler)
  }
  /// Ends the service; the batch that has begun is thrown away. Never waits.
  open func stopAccelerometerUpdates() {
    accelerometer.stop()
    translators.withLock { $0.0 = nil }
  }

  // MARK: Device motion

  /// Hz, rounded, at most 200 give or take a tenth; 0 without device motion, or before the rate of a source that does not tell it
  /// is known.
  open var deviceMotionDataFrequency: Int {
    Self.frequency(Self.hub(for: Self.motionStream, in: host).flatMap { BatchRates($0).deviceMotion })
  }
  /// True from start to stop of this service; an asynchronous sequence does not count.
  open var isDeviceMotionActive: Bool { motion.isActive }
  /// The latest batch; nil before the first and after stop. In the frame `.xArbitraryZVertical`.
  open var deviceMotionBatch: [CMDeviceMotion]? { motion.latestObject }
  /// Starts in pull mode. No effect without device motion.
  open func startDeviceMotionUpdates() { startMotion(nil) }
  /// Starts in push mode, or replaces the handler of a service that runs; it gets a batch or an error, on a queue of the manager's
  /// own.
  open func startDeviceMotionUpdates(handler: @escaping ([CMDeviceMotion]?, (any Error)?) -> Void) {
    startMotion(handler)
  }
  /// Ends the service; the batch that has begun is thrown away. Never waits.
  open func stopDeviceMotionUpdates() {
    motion.stop()
    translators.withLock { $0.1 = nil }
  }
}

extension CMBatchedSensorManager {
  static let motionStream = HubStream.deviceMotion(usesMagnetometer: false)

  static var workoutError: NSError {
    CMErrorNotAuthorized.error("Batched sensors deliver only while a workout is active, and none is.")
  }

  /// The host of the scope that calls, else of the scope in which the manager was made.
  var host: MotionHost { MotionHost.scoped ?? created }

  /// The hub that can serve a stream now, if there is one.
  static func hub(for stream: HubStream, in host: MotionHost) -> MotionHub? {
    guard let hub = host.device, stream.isServed(by: hub.availableKinds) else { return nil }
    return hub
  }

  private static func frequency(_ rate: Double?) -> Int {
    guard let rate, rate.isFinite, rate < 1e9 else { return 0 }
    return Int(rate.rounded())
  }

  private func startAccelerometer(_ handler: (([CMAccelerometerData]?, (any Error)?) -> Void)?) {
    let host = host
    guard let hub = Self.hub(for: .accelerometer, in: host) else { return }
    guard host.policy.hasActiveWorkout else {
      return UpdateService<[VectorValue], [CMAccelerometerData]>.refuse(
        Self.workoutError, queue: queue, handler: handler, host: host)
    }
    let isActive = accelerometer.isActive
    let (translator, isSame) = translators.withLock { stored -> (BatchTranslator<VectorValue>, Bool) in
      if isActive, let translator = stored.0, translator.host === host { return (translator, true) }
      let translator = BatchTranslator.accelerometer(of: hub, host: host)
      stored.0 = translator
      return (translator, false)
    }
    accelerometer.start(
      .accelerometer, of: hub, host: host, queue: queue, handler: handler, keepsLatest: isSame, window: Self.window,
      hearsTime: true
    ) { translator.translate($0) }
  }

  private func startMotion(_ handler: (([CMDeviceMotion]?, (any Error)?) -> Void)?) {
    let host = host
    guard let hub = Self.hub(for: Self.motionStream, in: host) else { return }
    guard host.policy.hasActiveWorkout else {
      return UpdateService<[DeviceMotionValue], [CMDeviceMotion]>.refuse(
        Self.workoutError, queue: queue, handler: handler, host: host)
    }
    let isActive = motion.isActive
    let (translator, isSame) = translators.withLock { stored -> (BatchTranslator<DeviceMotionValue>, Bool) in
      if isActive, let translator = stored.1, translator.host === host { return (translator, true) }
      let translator = BatchTranslator.deviceMotion(of: hub, host: host)
      stored.1 = translator
      return (translator, false)
    }
    motion.start(
      Self.motionStream, of: hub, host: host, queue: queue, handler: handler, keepsLatest: isSame,
      window: Self.window, hearsTime: true
    ) { translator.translate($0) }
  }
}

extension CMAccelerometerData {
  convenience init(_ value: VectorValue) {
    self.init(timestamp: value.timestamp, acceleration: CMAcceleration(x: value.x, y: value.y, z: value.z))
  }
}
