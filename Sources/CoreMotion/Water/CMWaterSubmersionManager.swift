// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

/// Calls a delegate when the device goes under water, how deep it is, and how warm the water is.
///
/// ```swift
/// guard CMWaterSubmersionManager.waterSubmersionAvailable else { return }
/// let manager = CMWaterSubmersionManager()
/// manager.delegate = self      // delivery starts here; nil ends it
/// ```
///
/// Making a manager asks for permission; there is no start method. The delegate receives the present state at once, and
/// then changes (S81). Only a source that is declared to measure the pressure of water counts: a barometer never
/// submerges. How deep it may go is the host's policy (`MOTION_DEPTH`: none, shallow = 6 m, full = 40 m), and so is the
/// density of the water (`MOTION_WATER`).
///
/// Keep the manager; it keeps its delegate weakly. Every member may be used from any thread.
open class CMWaterSubmersionManager: NSObject {
  private typealias Service = UpdateService<SubmersionNews, SubmersionNews>

  private struct Assigned {
    weak var delegate: (any CMWaterSubmersionManagerDelegate)?
  }

  private let hosts = ManagerHost()
  private let assigned = Lock(Assigned())
  private let translator = SubmersionTranslator()
  private let service = Service { $0 }
  private let queue = OperationQueue.serial(named: "CMWaterSubmersionManager")

  public override init() {
    super.init()
    // 25 Hz are averaged to 3; a slower sensor gives what it has.
    service.interval = 0.04
    hosts.current.requestAuthorization()
  }

  /// Whether the source measures the pressure of water and is there (S82).
  open class var waterSubmersionAvailable: Bool {
    MotionHost.current.device(serving: .waterPressure) != nil
  }

  /// Whether the program may read motion.
  open class var authorizationStatus: CMAuthorizationStatus { MotionHost.current.clientAuthorization }

  /// Receives the updates; kept weakly. Assigning starts the delivery and sends the state, nil ends it. Default nil.
  open weak var delegate: (any CMWaterSubmersionManagerDelegate)? {
    get { assigned.withLock { $0.delegate } }
    set {
      assigned.withLock { $0.delegate = newValue }
      if newValue == nil { service.stop() } else { start() }
    }
  }

  /// Metres that depth is measured to: 6 or 40, by the entitlement; nil without one and without permission (S85).
  open var maximumDepth: Measurement<UnitLength>? {
    let policy = host.policy
    guard policy.allowsMotion, let depth = policy.maximumDepth else { return nil }
    return Measurement(value: depth, unit: .meters)
  }

  private var host: MotionHost { hosts.current }

  private func start() {
    let host = host
    let policy = host.policy
    let handler: Service.Handler = { [weak self] news, error in self?.deliver(news, error) }
    let start = HandlerStart(host, to: queue, isOwn: true, for: SubmersionNews.self)
    func refuse(_ error: NSError) { start.refuse(error, handler) }
    // A sensor that is only away for the moment is waited for.
    guard let hub = host.device, HubStream.waterPressure.isServed(by: hub.info.kinds) else {
      return refuse(host.refusal(of: .waterPressure))
    }
    guard policy.maximumDepth != nil else {
      service.stop()
      return refuse(CMErrorNotEntitled.error("The host's policy grants no depth: set MOTION_DEPTH to shallow or full."))
    }
    if !service.isUnderWay { translator.begin(host, source: hub.info) }
    if policy.allowsMotion, let lane = start.lane {
      lane.add(HandlerOperation(object: translator.present, error: nil, start: start, handler: handler))
    }
    if let failure = hub.failure { refuse(CMErrorNotAvailable.error(failure.description)) }
    service.start(.waterPressure, of: hub, start, handler) { [translator] output in
      @Sendable func emit(_ news: SubmersionNews?) {
        guard let news else { return }
        if let problem = news.update.problem {
          output.report(CMErrorNotAvailable.error(problem.description))
        } else if news.update.event?.state == .submerged {
          host.submersionHook?()
        }
        output.emit(news)
      }
      return HubSink(
        receivesTime: true, sample: { emit(translator.translate($0)) }, news: { emit(translator.translate($0)) })
    }
  }

  /// On the queue: an error, or news in the order event, measurement, temperature.
  private func deliver(_ news: SubmersionNews?, _ error: (any Error)?) {
    // No delegate is left: the sensor may rest.
    guard let first = delegate else { return service.stop() }
    if let error { first.manager(self, errorOccurred: error) }
    guard let news else { return }
    // A delegate may be exchanged in any of its methods.
    if let event = news.update.event, let date = news.eventDate {
      delegate?.manager(self, didUpdate: CoreMotionConventions.event(event, at: date))
    }
    if let measurement = news.update.measurement, let date = news.measurementDate {
      delegate?.manager(self, didUpdate: CoreMotionConventions.measurement(measurement, at: date))
    }
    if let temperature = news.update.temperature, let date = news.temperatureDate {
      delegate?.manager(self, didUpdate: CoreMotionConventions.temperature(temperature, at: date))
    }
  }
}

/// Receives submersion, depth and water temperature. Every method may be left out (D16).
///
/// All four are called on a background queue of the manager's own, one at a time, in order (S81).
public protocol CMWaterSubmersionManagerDelegate: NSObjectProtocol {
  /// The device went into the water or came out of it; the present state comes at once after the delegate is assigned.
  func manager(_ manager: CMWaterSubmersionManager, didUpdate event: CMWaterSubmersionEvent)
  /// A measurement: three a second under water, one a second above.
  func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterSubmersionMeasurement)
  /// A temperature of the water: three a second under water, none above (D14).
  func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterTemperature)
  /// Something failed; called once. Delivery resumes by itself when the sensor works again.
  func manager(_ manager: CMWaterSubmersionManager, errorOccurred error: any Error)
}

extension CMWaterSubmersionManagerDelegate {
  public func manager(_ manager: CMWaterSubmersionManager, didUpdate event: CMWaterSubmersionEvent) {}
  public func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterSubmersionMeasurement) {}
  public func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterTemperature) {}
  public func manager(_ manager: CMWaterSubmersionManager, errorOccurred error: any Error) {}
}
