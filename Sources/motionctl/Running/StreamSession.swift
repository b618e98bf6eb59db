// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHost
import MotionRecording
import MotionSensing
import MotionServices

/// A manager with one running service, as any client has it, and an eye on the end of its source.
final class StreamSession {
  private let manager = CMMotionManager()
  private let queue = OperationQueue()
  private let service: MotionService
  private let hub: MotionHub
  private let printer: StreamPrinter
  /// Of a stream by the second.
  private var batches: Task<Void, Never>?
  private var ending: Subscription?

  /// Starts the service. Make it inside the host's scope; `interval` in seconds as the manager takes it.
  init(
    service: MotionService, frame: ReferenceFrame, interval: TimeInterval, isBatched: Bool = false, host: MotionHost,
    printer: StreamPrinter
  ) throws {
    guard let hub = host.device else { throw CommandFailure("There is no source.") }
    (self.service, self.hub, self.printer) = (service, hub, printer)
    queue.maxConcurrentOperationCount = 1
    queue.qualityOfService = .userInitiated
    guard Self.isAvailable(service, manager) else {
      throw CommandFailure("\(hub.info.name) has no \(service.name).")
    }
    guard service != .deviceMotion || CMMotionManager.availableAttitudeReferenceFrames().contains(frame.value) else {
      throw CommandFailure("The frame \(frame.name) needs a magnetometer, and \(hub.info.name) has none.")
    }
    if isBatched {
      batches = Self.followBatches(of: service, hub: hub, printer: printer)
    } else {
      start(frame: frame, interval: interval)
      watchEnd(frame: frame, interval: interval)
    }
  }

  /// What happened to the source's samples so far.
  var statistics: TimelineStatistics { hub.statistics }

  /// Stops the service and waits for the handlers that have begun. Returns how often the source waited for them.
  func stop() -> Int {
    ending?.cancel()
    batches?.cancel()
    switch service {
    case .accelerometer: manager.stopAccelerometerUpdates()
    case .gyro: manager.stopGyroUpdates()
    case .magnetometer: manager.stopMagnetometerUpdates()
    case .deviceMotion: manager.stopDeviceMotionUpdates()
    }
    queue.waitUntilAllOperationsAreFinished()
    return hub.stalls
  }

  private static func isAvailable(_ service: MotionService, _ manager: CMMotionManager) -> Bool {
    switch service {
    case .accelerometer: manager.isAccelerometerAvailable
    case .gyro: manager.isGyroAvailable
    case .magnetometer: manager.isMagnetometerAvailable
    case .deviceMotion: manager.isDeviceMotionAvailable
    }
  }

  private func start(frame: ReferenceFrame, interval: TimeInterval) {
    let (printer, queue) = (printer, queue)
    func take(_ sample: ServiceSample?, _ error: (any Error)?) {
      if let sample { printer.take(sample, backlog: queue.operationCount) }
      if let error { printer.say(error) }
    }
    switch service {
    case .accelerometer:
      manager.accelerometerUpdateInterval = interval
      manager.startAccelerometerUpdates(to: queue) { data, error in
        take(
          data.map {
            .vector(timestamp: $0.timestamp, x: $0.acceleration.x, y: $0.acceleration.y, z: $0.acceleration.z)
          }, error)
      }
    case .gyro:
      manager.gyroUpdateInterval = interval
      manager.startGyroUpdates(to: queue) { data, error in
        take(
          data.map {
            .vector(timestamp: $0.timestamp, x: $0.rotationRate.x, y: $0.rotationRate.y, z: $0.rotationRate.z)
          }, error)
      }
    case .magnetometer:
      manager.magnetometerUpdateInterval = interval
      manager.startMagnetometerUpdates(to: queue) { data, error in
        take(
          data.map {
            .vector(timestamp: $0.timestamp, x: $0.magneticField.x, y: $0.magneticField.y, z: $0.magneticField.z)
          }, error)
      }
    case .deviceMotion:
      // Motion that a recording holds keeps its own frame, which a handler is not told.
      let known = hub.info.kinds.contains(.fusedMotion) ? nil : frame.reference
      manager.deviceMotionUpdateInterval = interval
      manager.startDeviceMotionUpdates(using: frame.value, to: queue) { data, error in
        take(data.map { .motion(DeviceMotionRow($0, reference: known)) }, error)
      }
    }
  }

  /// A manager does not tell the end of a recording, as Apple's has none. A second listener beside it hears of it, and passes
  /// it on behind the handlers that are still queued.
  private func watchEnd(frame: ReferenceFrame, interval: TimeInterval) {
    let stream: HubStream =
      switch service {
      case .accelerometer: .accelerometer
      case .gyro: .gyroscope
      case .magnetometer: .magnetometer
      // The manager's own stream, so that nothing more is computed for the listener.
      case .deviceMotion: .deviceMotion(usesMagnetometer: frame != .arbitrary)
      }
    let (hub, queue, completion) = (hub, queue, printer.completion)
    ending = hub.subscribe(stream, interval: SensorDuration(seconds: interval) ?? .zero) { event, _ in
      switch event {
      case .ended: queue.addOperation { completion.finish(.done) }
      // The others come back by themselves: the hub tries again.
      case .failed(let error) where hub.hasEnded: queue.addOperation { completion.finish(.failed(error)) }
      default: break
      }
    }
  }
}
