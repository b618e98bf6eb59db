// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

/// Hands out the motion of a head, measured by headphones.
///
/// ```swift
/// let manager = CMHeadphoneMotionManager()
/// manager.delegate = tracker
/// manager.startDeviceMotionUpdates(to: queue) { motion, error in
///   guard let motion else { return }
///   print(motion.sensorLocation, motion.attitude.yaw)
/// }
/// ```
///
/// * Samples come from one bud at a time; ``CMDeviceMotion/sensorLocation`` says which, and it may change (S54).
/// * Samples come at the headphones' own rate, 25 or 50 Hz; there is no interval to set (D10).
/// * The attitude's azimuth has the headphones' own origin; a program takes the first pose as straight ahead with
///   `multiply(byInverseOf:)` (D12). Axes: +x to the right ear, +y to the nose, +z up.
/// * Headphones that notice being taken off then count as disconnected (S57). That is no error: the service stays
///   active, and samples go on when they are worn again.
///
/// Keep the manager: when the last reference goes, its updates end. Where the samples come from is the host's business
/// (`MOTION_HEADPHONES`); without a source nothing is available, and a start answers with one error (D43).
open class CMHeadphoneMotionManager: NSObject {
  /// Receives device motion, or an error.
  public typealias DeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void

  private let hosts = ManagerHost()
  private let motion = UpdateService<MotionRow, CMDeviceMotion> { CMDeviceMotion($0) }
  private let watch = HeadphoneWatch()

  public override init() {
    super.init()
    // Every sample, at the source's own rate.
    motion.interval = 0
  }

  /// Whether the program may read motion.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionHost.current.clientAuthorization }

  /// Called when headphones come and go, while motion or connection updates are active. Default nil.
  open weak var delegate: (any CMHeadphoneMotionManagerDelegate)? {
    didSet { watch.setDelegate(delegate) }
  }

  /// True when there is a source of headphone motion, connected or not (S58, D24).
  open var isDeviceMotionAvailable: Bool { hub(of: host) != nil }
  /// True from start to stop of motion updates.
  open var isDeviceMotionActive: Bool { motion.isActive }
  /// True from start to stop of connection updates.
  open var isConnectionStatusActive: Bool { watch.isListening(.status) }
  /// The latest sample; nil before the first, while the headphones are disconnected, and after stop.
  open var deviceMotion: CMDeviceMotion? { motion.latestObject }

  /// Starts motion in pull mode. Without a source the log says so (D43).
  open func startDeviceMotionUpdates() { start(to: nil, handler: nil) }

  /// Starts motion in push mode, or replaces queue and handler of a service that runs. The delegate is called on the
  /// same queue.
  open func startDeviceMotionUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMHeadphoneMotionManager.DeviceMotionHandler
  ) { start(to: queue, handler: handler) }

  /// Ends motion updates; the connection is reported only while connection updates are active. Never waits.
  open func stopDeviceMotionUpdates() {
    motion.stop()
    watch.stop(.motion)
  }

  /// Calls the delegate when headphones come and go, without starting motion.
  open func startConnectionStatusUpdates() {
    let host = host
    guard let hub = hub(of: host) else {
      return host.refuse(host.refusal(of: Self.stream, isHead: true).localizedDescription)
    }
    watch.start(.status, manager: self, hub: hub, host: host)
  }

  /// Undoes ``startConnectionStatusUpdates()``, and nothing else.
  open func stopConnectionStatusUpdates() { watch.stop(.status) }

  // MARK: Starting

  private var host: MotionHost { hosts.current }

  /// The hub, whether the headphones are connected or not.
  private func hub(of host: MotionHost) -> MotionHub? {
    guard let hub = host.headphones else {
      if let absence = host.absences.headphones { host.report(absence) }
      return nil
    }
    return Self.stream.isServed(by: hub.info.kinds) ? hub : nil
  }

  private static let stream = HubStream.deviceMotion(usesMagnetometer: false)

  private func start(to queue: OperationQueue?, handler: DeviceMotionHandler?) {
    let host = host
    let start = HandlerStart(host, to: queue, for: CMDeviceMotion.self)
    guard let hub = hub(of: host) else { return start.refuse(host.refusal(of: Self.stream, isHead: true), handler) }
    // First the connection: its event goes to the queue before the first sample.
    watch.start(.motion, manager: self, hub: hub, host: host, on: start.lane)
    // A restart keeps its azimuth.
    let running: DeviceMotionTranslator? = motion.translator(on: host)
    let translator = running ?? DeviceMotionTranslator(frame: .xArbitraryZVertical, host: host)
    motion.start(Self.stream, of: hub, start, handler, keepsLatest: running != nil, translator: translator) { output in
      let sink = translator.sink(for: output)
      return HubSink(sample: sink.sample, motion: sink.motion) { news in
        if case .connection(let connection) = news, !connection.isConnected { output.clear() }
      }
    }
  }
}

/// Receives the connection and disconnection of headphones with motion sensors.
///
/// Both methods are optional: an implementation that does nothing stands in for each (D16). They are called on the
/// queue that was given to `startDeviceMotionUpdates(to:withHandler:)`, else on the main queue (S56).
public protocol CMHeadphoneMotionManagerDelegate: NSObjectProtocol {
  /// Motion can be had now: the headphones are connected and, where they notice it, worn. Called once at the start too,
  /// when they are connected already (D11).
  func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager)
  /// The headphones have left, or have been taken off.
  func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager)
}

extension CMHeadphoneMotionManagerDelegate {
  /// Does nothing.
  public func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) {}
  /// Does nothing.
  public func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) {}
}
