// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

// As in CMHandlers.swift: plain escaping closures that receive (sample, nil) or (nil, error).

/// Receives relative altitude and pressure.
public typealias CMAltitudeHandler = (CMAltitudeData?, (any Error)?) -> Void
/// Receives altitude above sea level.
public typealias CMAbsoluteAltitudeHandler = (CMAbsoluteAltitudeData?, (any Error)?) -> Void

/// Hands out how the height changes, and how high the device is above the sea, from the pressure of the air.
///
/// ```swift
/// let altimeter = CMAltimeter()
/// altimeter.startRelativeAltitudeUpdates(to: queue) { data, error in
///   guard let data else { return }
///   print(data.relativeAltitude, "m", data.pressure, "kPa")
/// }
/// ```
///
/// One event a second (D9). Smoothing makes the height lag by two seconds, and weather moves it by up to metres an
/// hour: good for floors, not for an arm. Keep the altimeter: when the last reference goes, its updates end. Every
/// member may be used from any thread.
open class CMAltimeter: NSObject {
  private let hosts = ManagerHost()
  private let relative = UpdateService<AltitudeEstimator.Altitude, CMAltitudeData> {
    CoreMotionConventions.relativeAltitude($0)
  }
  private let absolute = UpdateService<AltitudeEstimator.Altitude, CMAbsoluteAltitudeData> {
    CoreMotionConventions.absoluteAltitude($0)
  }

  public override init() {
    super.init()
    // A barometer is read at 25 Hz at most, whatever it could do: the smoothing needs no more.
    relative.interval = 0.04
    absolute.interval = 0.04
  }

  /// Whether the source measures the pressure of the air and is there.
  open class func isRelativeAltitudeAvailable() -> Bool {
    MotionHost.current.device(serving: .airPressure) != nil
  }

  /// The same: without a reference the altitude comes with an accuracy of 80 m (``CMAbsoluteAltitudeData/accuracy``).
  open class func isAbsoluteAltitudeAvailable() -> Bool {
    MotionHost.current.device(serving: .airPressure) != nil
  }

  /// Whether the program may read motion.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionHost.current.clientAuthorization }

  /// Starts, or replaces queue and handler of updates that run; the next event is then 0 again (S60, S61).
  /// Without a barometer the handler gets one error (D43). After an error the client should stop (S64).
  open func startRelativeAltitudeUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMAltitudeHandler
  ) { start(relative, to: queue, handler: handler) }

  /// Ends the updates and releases queue and handler; further calls do nothing.
  open func stopRelativeAltitudeUpdates() { relative.stop() }

  /// Starts, or replaces queue and handler of updates that run. Without a barometer the handler gets one error
  /// (D43).
  ///
  /// The host's settings tie the barometer to sea level: `MOTION_HEIGHT`, `MOTION_SEA_LEVEL_PRESSURE`.
  open func startAbsoluteAltitudeUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMAbsoluteAltitudeHandler
  ) { start(absolute, to: queue, handler: handler) }

  /// Ends the updates and releases queue and handler; further calls do nothing.
  open func stopAbsoluteAltitudeUpdates() { absolute.stop() }

  private func start<Object>(
    _ service: UpdateService<AltitudeEstimator.Altitude, Object>, to queue: OperationQueue,
    handler: @escaping UpdateService<AltitudeEstimator.Altitude, Object>.Handler
  ) {
    let host = hosts.current
    var parameters = AltitudeEstimator.Parameters()
    parameters.reference = host.policy.altitudeReference
    // An estimator for each start: its first result is the zero that the others are relative to.
    let estimator = Lock(AltitudeEstimator(parameters: parameters))
    service.start(.airPressure, HandlerStart(host, to: queue, for: Object.self), handler) { sample in
      guard case .pressure(let pressure) = sample else { return nil }
      return estimator.withLock { $0.update(pressure) }
    }
  }
}
