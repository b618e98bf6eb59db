// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

extension CMMotionManager {
  /// What a manager remembers besides its services.
  ///
  /// `@unchecked Sendable`: kept behind the manager's lock; the body is a reference that is stored and returned, never used.
  struct Settings: @unchecked Sendable {
    var frame = CMAttitudeReferenceFrame.xArbitraryZVertical
    var showsDeviceMovementDisplay = false
    var deviceMotionBody: (any CMBodyIdentifiable)?
    /// Of the device-motion service that runs, so that a restart in the same frame keeps its azimuth.
    var translator: DeviceMotionTranslator?
  }

  /// The host of the scope that calls, else of the scope in which the manager was made.
  var host: MotionHost { MotionHost.scoped ?? created }

  /// The hub that can serve a stream now, if there is one.
  private func hub(for stream: HubStream, in host: MotionHost) -> MotionHub? {
    guard let hub = host.device, stream.isServed(by: hub.availableKinds) else { return nil }
    return hub
  }

  func isAvailable(_ stream: HubStream) -> Bool { hub(for: stream, in: host) != nil }

  static func availableFrames(of host: MotionHost) -> CMAttitudeReferenceFrame {
    guard let hub = host.device, HubStream.deviceMotion(usesMagnetometer: false).isServed(by: hub.availableKinds)
    else { return [] }
    if hub.availableKinds.contains(.magnetometer) {
      return [
        .xArbitraryZVertical, .xArbitraryCorrectedZVertical, .xMagneticNorthZVertical, .xTrueNorthZVertical,
      ]
    }
    // Motion that the source has fused itself comes in the frame that it was fused in.
    let own = hub.info.fusedReference.map(CoreMotionConventions.frame)
    return [.xArbitraryZVertical, own ?? .xArbitraryZVertical]
  }

  func startAccelerometer(to queue: OperationQueue?, handler: CMAccelerometerHandler?) {
    let host = host
    guard let hub = hub(for: .accelerometer, in: host) else { return }
    accelerometer.start(.accelerometer, of: hub, host: host, queue: queue, handler: handler) { event in
      guard case .accelerometer(let sample) = event else { return .nothing }
      return .sample(CoreMotionConventions.accelerometer(sample))
    }
  }

  func startGyroscope(to queue: OperationQueue?, handler: CMGyroHandler?) {
    let host = host
    guard let hub = hub(for: .gyroscope, in: host) else { return }
    gyroscope.start(.gyroscope, of: hub, host: host, queue: queue, handler: handler) { event in
      guard case .gyroscope(let sample) = event else { return .nothing }
      return .sample(CoreMotionConventions.gyroscope(sample))
    }
  }

  func startMagnetometer(to queue: OperationQueue?, handler: CMMagnetometerHandler?) {
    let host = host
    guard let hub = hub(for: .magnetometer, in: host) else { return }
    magnetometer.start(.magnetometer, of: hub, host: host, queue: queue, handler: handler) { event in
      guard case .magnetometer(let sample) = event else { return .nothing }
      return .sample(CoreMotionConventions.magnetometer(sample))
    }
  }

  func startDeviceMotion(
    using requested: CMAttitudeReferenceFrame?, to queue: OperationQueue?, handler: CMDeviceMotionHandler?
  ) {
    let host = host
    guard let hub = hub(for: .deviceMotion(usesMagnetometer: false), in: host) else { return }
    let frame = requested ?? attitudeReferenceFrame
    guard frame.isSingle else {
      UpdateService<DeviceMotionValue, CMDeviceMotion>.refuse(
        CMErrorInvalidParameter.error("A reference frame must be exactly one of the four frames."), queue: queue,
        handler: handler, host: host)
      return
    }
    // D20: a frame that needs a magnetometer which is not there gives one error and no data.
    guard Self.availableFrames(of: host).contains(frame) else {
      UpdateService<DeviceMotionValue, CMDeviceMotion>.refuse(
        CMErrorNotAvailable.error("This reference frame needs a magnetometer, and the device has none."),
        queue: queue,
        handler: handler, host: host)
      return
    }
    let isActive = motion.isActive
    let (translator, isSame) = settings.withLock { settings -> (DeviceMotionTranslator, Bool) in
      settings.frame = frame
      if isActive, let translator = settings.translator, translator.frame == frame, translator.host === host {
        return (translator, true)
      }
      let translator = DeviceMotionTranslator(
        frame: frame, host: host, showsDisplay: settings.showsDeviceMovementDisplay)
      settings.translator = translator
      return (translator, false)
    }
    motion.start(
      .deviceMotion(usesMagnetometer: frame.usesMagnetometer), of: hub, host: host, queue: queue, handler: handler,
      keepsLatest: isSame
    ) { translator.translate($0) }
  }
}
