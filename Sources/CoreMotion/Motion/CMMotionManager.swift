// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

// Plain escaping closures, as on Apple's systems: neither @Sendable nor bound to an actor. Each receives (sample, nil)
// or (nil, error).

/// Receives accelerometer samples.
public typealias CMAccelerometerHandler = (CMAccelerometerData?, (any Error)?) -> Void
/// Receives gyroscope samples.
public typealias CMGyroHandler = (CMGyroData?, (any Error)?) -> Void
/// Receives magnetometer samples.
public typealias CMMagnetometerHandler = (CMMagnetometerData?, (any Error)?) -> Void
/// Receives device motion.
public typealias CMDeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void

/// Starts and stops the motion services of the device and hands out their samples.
///
/// ```swift
/// let manager = CMMotionManager()
/// manager.deviceMotionUpdateInterval = 1.0 / 60
/// manager.startDeviceMotionUpdates(to: queue) { motion, error in
///   guard let motion else { return }
///   print(motion.attitude.roll, motion.gravity)
/// }
/// ```
///
/// Each service runs in pull mode (start without a handler, then read the property) or in push mode (a handler on an
/// operation queue, once per sample, in order). Services are independent: device motion does not switch the
/// accelerometer service on. Keep the manager: when the last reference goes, its updates end. Every member may be used
/// from any thread.
///
/// Where the samples come from is the host's business (`MOTION_SOURCE`); without a source nothing is available,
/// a start answers with one error (D43), and nothing is ever invented.
open class CMMotionManager: NSObject {
  private let hosts = ManagerHost()
  private let accelerometer = UpdateService<AccelerometerSample, CMAccelerometerData> { CMAccelerometerData($0) }
  private let gyroscope = UpdateService<GyroscopeSample, CMGyroData> { CMGyroData($0) }
  private let magnetometer = UpdateService<MagnetometerSample, CMMagnetometerData> { CMMagnetometerData($0) }
  private let motion = UpdateService<MotionRow, CMDeviceMotion> { CMDeviceMotion($0) }
  private let settings = Lock(DeviceMotionSettings())

  public override init() { super.init() }

  /// Whether the program may read motion (27.2).
  open class var authorizationStatus: CMAuthorizationStatus { MotionHost.current.clientAuthorization }

  /// Whose axes device motion is expressed in; nil, the default = the device's (S30). Here a body is a `MotionBody`;
  /// any other leaves the device's axes. Applies to samples that come later.
  open var deviceMotionBody: (any CMBodyIdentifiable)? {
    get { settings.withLock { $0.deviceMotionBody } }
    set {
      let body = newValue as? any MotionBody
      let old = settings.withLock { settings in
        defer { (settings.deviceMotionBody, settings.body) = (newValue, body) }
        return (settings.deviceMotionBody, settings.body)
      }
      withExtendedLifetime(old) {}
    }
  }

  /// Whether the person is shown that the magnetometer wants the device to be moved; default false. Here a notice goes
  /// to the host, which logs it; the handler's error comes in both cases (D23).
  open var showsDeviceMovementDisplay: Bool {
    get { settings.withLock { $0.showsDeviceMovementDisplay } }
    set { settings.withLock { $0.showsDeviceMovementDisplay = newValue } }
  }

  // MARK: Accelerometer

  /// Seconds between samples; default 0.01. A request: 0, negative or NaN means as fast as the sensor can (D18).
  open var accelerometerUpdateInterval: TimeInterval {
    get { accelerometer.interval }
    set { accelerometer.interval = newValue }
  }
  /// Whether the source measures specific force and is there.
  open var isAccelerometerAvailable: Bool { isAvailable(.accelerometer) }
  /// True from start to stop of this service.
  open var isAccelerometerActive: Bool { accelerometer.isActive }
  /// The latest sample; nil before the first and after stop.
  open var accelerometerData: CMAccelerometerData? { accelerometer.latestObject }
  /// Starts in pull mode. Without an accelerometer the log says so (D43).
  open func startAccelerometerUpdates() { startAccelerometer(to: nil, handler: nil) }
  /// Starts in push mode, or replaces queue and handler of a service that runs.
  open func startAccelerometerUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMAccelerometerHandler
  ) { startAccelerometer(to: queue, handler: handler) }
  /// Ends the service; the last stop of all services closes the device. Never waits.
  open func stopAccelerometerUpdates() { accelerometer.stop() }

  // MARK: Gyroscope

  /// Seconds between samples; default 0.01. A request: 0, negative or NaN means as fast as the sensor can (D18).
  open var gyroUpdateInterval: TimeInterval {
    get { gyroscope.interval }
    set { gyroscope.interval = newValue }
  }
  /// Whether the source measures angular velocity and is there.
  open var isGyroAvailable: Bool { isAvailable(.gyroscope) }
  /// True from start to stop of this service.
  open var isGyroActive: Bool { gyroscope.isActive }
  /// The latest sample; nil before the first and after stop.
  open var gyroData: CMGyroData? { gyroscope.latestObject }
  /// Starts in pull mode. Without a gyroscope the log says so (D43).
  open func startGyroUpdates() { startGyroscope(to: nil, handler: nil) }
  /// Starts in push mode, or replaces queue and handler of a service that runs.
  open func startGyroUpdates(to queue: OperationQueue, withHandler handler: @escaping CMGyroHandler) {
    startGyroscope(to: queue, handler: handler)
  }
  /// Ends the service; the last stop of all services closes the device. Never waits.
  open func stopGyroUpdates() { gyroscope.stop() }

  // MARK: Magnetometer

  /// Seconds between samples; default 0.01. A request: 0, negative or NaN means as fast as the sensor can (D18).
  open var magnetometerUpdateInterval: TimeInterval {
    get { magnetometer.interval }
    set { magnetometer.interval = newValue }
  }
  /// Whether the source measures the magnetic field and is there.
  open var isMagnetometerAvailable: Bool { isAvailable(.magnetometer) }
  /// True from start to stop of this service.
  open var isMagnetometerActive: Bool { magnetometer.isActive }
  /// The latest sample; nil before the first and after stop.
  open var magnetometerData: CMMagnetometerData? { magnetometer.latestObject }
  /// Starts in pull mode. Without a magnetometer the log says so (D43).
  open func startMagnetometerUpdates() { startMagnetometer(to: nil, handler: nil) }
  /// Starts in push mode, or replaces queue and handler of a service that runs.
  open func startMagnetometerUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMMagnetometerHandler
  ) { startMagnetometer(to: queue, handler: handler) }
  /// Ends the service; the last stop of all services closes the device. Never waits.
  open func stopMagnetometerUpdates() { magnetometer.stop() }

  // MARK: Device motion

  /// Seconds between samples; default 0.01. A request: 0, negative or NaN means as fast as the sensor can (D18).
  open var deviceMotionUpdateInterval: TimeInterval {
    get { motion.interval }
    set { motion.interval = newValue }
  }
  /// True with an accelerometer and a gyroscope, or a source that fuses motion itself.
  open var isDeviceMotionAvailable: Bool { isAvailable(.deviceMotion(usesMagnetometer: false)) }
  /// True from start to stop of this service.
  open var isDeviceMotionActive: Bool { motion.isActive }
  /// The latest sample; nil before the first and after stop.
  open var deviceMotion: CMDeviceMotion? { motion.latestObject }
  /// The frames that can be had here: north frames with a magnetometer, true north where the host has the location.
  open class func availableAttitudeReferenceFrames() -> CMAttitudeReferenceFrame {
    availableFrames(of: MotionHost.current)
  }
  /// The frame in use, else the one used last, else `.xArbitraryZVertical`.
  open var attitudeReferenceFrame: CMAttitudeReferenceFrame { settings.withLock { $0.frame } }
  /// Starts in pull mode in the frame used last.
  open func startDeviceMotionUpdates() { startDeviceMotion(using: nil, to: nil, handler: nil) }
  /// Starts in push mode in the frame used last, or replaces queue and handler of a service that runs.
  open func startDeviceMotionUpdates(to queue: OperationQueue, withHandler handler: @escaping CMDeviceMotionHandler) {
    startDeviceMotion(using: nil, to: queue, handler: handler)
  }
  /// Starts in pull mode in the given frame, which later plain starts keep. A frame that is not available is not
  /// started, and the log says why.
  open func startDeviceMotionUpdates(using referenceFrame: CMAttitudeReferenceFrame) {
    startDeviceMotion(using: referenceFrame, to: nil, handler: nil)
  }
  /// Starts in push mode in the given frame, which later plain starts keep.
  open func startDeviceMotionUpdates(
    using referenceFrame: CMAttitudeReferenceFrame, to queue: OperationQueue,
    withHandler handler: @escaping CMDeviceMotionHandler
  ) { startDeviceMotion(using: referenceFrame, to: queue, handler: handler) }
  /// Ends the service; the last stop of all services closes the device. Never waits.
  open func stopDeviceMotionUpdates() { motion.stop() }
}

extension CMMotionManager {
  private var host: MotionHost { hosts.current }

  private func isAvailable(_ stream: HubStream) -> Bool { host.device(serving: stream) != nil }

  private static func availableFrames(of host: MotionHost) -> CMAttitudeReferenceFrame {
    frames(of: host, hasPlace: host.declination != nil)
  }

  /// The frames that the sensors allow.
  private static func frames(of host: MotionHost, hasPlace: Bool) -> CMAttitudeReferenceFrame {
    guard let hub = host.device(serving: .deviceMotion(usesMagnetometer: false)) else { return [] }
    if hub.availableKinds.contains(.magnetometer) {
      let magnetic: CMAttitudeReferenceFrame = [
        .xArbitraryZVertical, .xArbitraryCorrectedZVertical, .xMagneticNorthZVertical,
      ]
      return hasPlace ? magnetic.union(.xTrueNorthZVertical) : magnetic
    }
    // Motion that the source has fused itself comes in the frame that it was fused in.
    let own = hub.info.fusedReference.map(CoreMotionConventions.frame)
    return [.xArbitraryZVertical, own ?? .xArbitraryZVertical]
  }

  private func startAccelerometer(to queue: OperationQueue?, handler: CMAccelerometerHandler?) {
    accelerometer.start(.accelerometer, HandlerStart(host, to: queue, for: CMAccelerometerData.self), handler) {
      if case .accelerometer(let sample) = $0 { sample } else { nil }
    }
  }

  private func startGyroscope(to queue: OperationQueue?, handler: CMGyroHandler?) {
    gyroscope.start(.gyroscope, HandlerStart(host, to: queue, for: CMGyroData.self), handler) {
      if case .gyroscope(let sample) = $0 { sample } else { nil }
    }
  }

  private func startMagnetometer(to queue: OperationQueue?, handler: CMMagnetometerHandler?) {
    magnetometer.start(.magnetometer, HandlerStart(host, to: queue, for: CMMagnetometerData.self), handler) {
      if case .magnetometer(let sample) = $0 { sample } else { nil }
    }
  }

  private func startDeviceMotion(
    using requested: CMAttitudeReferenceFrame?, to queue: OperationQueue?, handler: CMDeviceMotionHandler?
  ) {
    let host = host
    let start = HandlerStart(host, to: queue, for: CMDeviceMotion.self)
    func refuse(_ error: NSError) { start.refuse(error, handler) }
    let stream = HubStream.deviceMotion(usesMagnetometer: false)
    guard let hub = host.device(serving: stream) else { return refuse(host.refusal(of: stream)) }
    let frame = requested ?? attitudeReferenceFrame
    guard frame.isSingle else {
      return refuse(CMErrorInvalidParameter.error("A reference frame must be exactly one of the four frames."))
    }
    // D20: a frame that needs a magnetometer which is not there gives one error and no data.
    guard Self.frames(of: host, hasPlace: true).contains(frame) else {
      return refuse(CMErrorNotAvailable.error("This reference frame needs a magnetometer, and the device has none."))
    }
    // S45: a handler is informed, and has samples as soon as the location is known. Without one the property would stay
    // nil.
    if handler == nil, !Self.availableFrames(of: host).contains(frame) {
      return refuse(CMErrorTrueNorthNotAvailable.error())
    }
    settings.withLock { $0.frame = frame }
    // A restart in the same frame keeps its azimuth.
    let running: DeviceMotionTranslator? = motion.translator(on: host)
    let same = running.flatMap { $0.frame == frame ? $0 : nil }
    let translator = same ?? DeviceMotionTranslator(frame: frame, host: host, settings: settings)
    motion.start(
      .deviceMotion(usesMagnetometer: frame.usesMagnetometer), of: hub, start, handler, keepsLatest: same != nil,
      translator: translator, sink: translator.sink)
  }
}

/// What a manager's device motion is made with, by the sample; shared with the translator of the service that runs.
///
/// `@unchecked Sendable`: kept behind a lock; `deviceMotionBody` is only stored and returned.
struct DeviceMotionSettings: @unchecked Sendable {
  var frame = CMAttitudeReferenceFrame.xArbitraryZVertical
  var showsDeviceMovementDisplay = false
  var deviceMotionBody: (any CMBodyIdentifiable)?
  /// The same, where it can turn motion.
  var body: (any MotionBody)?
}

/// Something whose own axes device motion can be expressed in, such as a view on Apple's systems (S30).
public protocol CMBodyIdentifiable: NSObjectProtocol {}

/// A body that turns within the device, such as an interface that follows the device's orientation or the panel of a
/// device that folds. Not part of Apple's interface, whose views do it by themselves: a client sees it only with
/// `@_spi(OpenCoreMotion) import CoreMotion`.
@_spi(OpenCoreMotion) public protocol MotionBody: CMBodyIdentifiable, Sendable {
  /// Turns vectors in the body's axes into the device's; of length one. Read for every sample, on the source's thread.
  var rotationInDevice: CMQuaternion { get }
}
