// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion

final class FloorCounter {
  private let altimeter = CMAltimeter()
  var onHeight: ((Double, Double) -> Void)?

  func start() {
    guard CMAltimeter.isRelativeAltitudeAvailable() else { return }
    altimeter.startRelativeAltitudeUpdates(to: OperationQueue()) { [weak self] data, error in
      guard let data = data, error == nil else { return }
      self?.onHeight?(data.relativeAltitude.doubleValue, data.pressure.doubleValue * 10)
    }
    if CMAltimeter.isAbsoluteAltitudeAvailable() {
      altimeter.startAbsoluteAltitudeUpdates(to: .main) { data, _ in print(data?.altitude ?? 0, data?.precision ?? 0) }
    }
  }

  deinit {
    altimeter.stopRelativeAltitudeUpdates()
    altimeter.stopAbsoluteAltitudeUpdates()
  }
}

class FakeAltitudeData: CMAltitudeData {
  override var relativeAltitude: NSNumber { 3 }
  override var pressure: NSNumber { NSNumber(value: 101.325) }
}

/// Implements two methods of the four.
final class DiveLog: NSObject, CMWaterSubmersionManagerDelegate {
  private(set) var manager: CMWaterSubmersionManager?

  func start() {
    guard CMWaterSubmersionManager.waterSubmersionAvailable else { return }
    let manager = CMWaterSubmersionManager()
    manager.delegate = self
    self.manager = manager
  }

  func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterSubmersionMeasurement) {
    if let depth = measurement.depth { print(depth.converted(to: .feet).value, text(measurement.submersionState)) }
  }

  func manager(_ manager: CMWaterSubmersionManager, errorOccurred error: Error) { print(error.localizedDescription) }
}

func text(_ state: CMWaterSubmersionMeasurement.DepthState) -> String {
  switch state {
  case .unknown, .notSubmerged: return "dry"
  case .submergedShallow, .submergedDeep: return "wet"
  case .approachingMaxDepth, .pastMaxDepth, .sensorDepthError: return "too deep"
  @unknown default: return "unknown"
  }
}

func text(_ state: CMWaterSubmersionEvent.State) -> String {
  switch state {
  case .unknown: return "unknown"
  case .notSubmerged: return "dry"
  case .submerged: return "wet"
  @unknown default: return "?"
  }
}

@MainActor
func pressureShapes(_ runner: Runner) {
  runner.begin("relative altitude begins at zero") { done in
    let counter = FloorCounter()
    counter.onHeight = { metres, hectopascals in done(metres == 0 && hectopascals > 300 && hectopascals < 1200) }
    counter.start()
    return counter
  }
  runner.check("altitude doubles") {
    let data: CMAltitudeData = FakeAltitudeData()
    return data.relativeAltitude == 3 && data.pressure.doubleValue == 101.325 && CMAbsoluteAltitudeData().altitude == 0
  }
  runner.check("a dive log where there is no water") {
    let log = DiveLog()
    log.start()
    return log.manager == nil && text(.submergedDeep) == "wet" && text(CMWaterSubmersionEvent.State.submerged) == "wet"
      && CMWaterSubmersionMeasurement().depth == nil
  }
}
