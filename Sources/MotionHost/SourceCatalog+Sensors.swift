// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import LinuxSources
import MotionSensing
import MotionServices

/// The sensors of this computer: what its kernel knows as IIO devices, and the game controllers that are connected.
extension SourceCatalog {
  /// Opens a sensor by its address; real time, nobody waits for an audience.
  func openSensor(_ uri: SourceURI) throws(SensorError) -> Entry {
    if uri.scheme == "evdev" {
      return entry(uri, try EvdevSource(path: uri.path, options: uri.options, standardRoots: inputRoots))
    }
    return entry(uri, try IIOSource(path: uri.path, options: uri.options, standardRoots: roots))
  }

  private func entry(_ uri: SourceURI, _ source: any SensorSource) -> Entry {
    Entry(uri: uri, source: source, clock: MonotonicClock(), rate: 1, gate: .open)
  }

  /// The best source among the sensors of this computer, with its calibration; nil when it has none. Throws when the calibration
  /// cannot be read.
  func bestOfThisComputer() throws(SensorError) -> Entry? {
    guard var best = bestAsItIs() else { return nil }
    best.source = try calibrated(best.source, option: nil)
    return best
  }

  private func bestAsItIs() -> Entry? {
    let builtIn = IIOSource.best(roots: roots)
    let controller = EvdevSource.best(roots: inputRoots)
    let isReadable = controller?.limitation == nil
    if let controller, Self.prefersController(controller.info.kinds, isReadable, to: builtIn?.info.kinds) {
      return entry(SourceURI(scheme: "evdev", path: ""), controller)
    }
    return builtIn.map { entry(SourceURI(scheme: "iio", path: ""), $0) }
  }

  /// Sensors that are built in and have accelerometer and gyroscope come before a controller. A controller that has both, and may be
  /// read, comes before a set that is built in and incomplete, such as a barometer alone. Where there is nothing else, a
  /// controller is taken that may not be read, because its error says what to do.
  static func prefersController(_ kinds: SensorKinds, _ isReadable: Bool, to builtIn: SensorKinds?) -> Bool {
    guard let builtIn else { return true }
    return !builtIn.isSuperset(of: .inertial) && kinds.isSuperset(of: .inertial) && isReadable
  }

  /// What the host takes by itself, then each device alone; the summary says what is missing.
  func sensorListings() -> [Listing] {
    guard let best = bestAsItIs() else { return [] }
    return [listing(best.uri.description, best.source, prefix: "taken when MOTION_SOURCE is not set: ")]
      + IIOSource.each(roots: roots).map { listing($0.address, $0.source) }
      + EvdevSource.each(roots: inputRoots).map { listing($0.address, $0.source) }
  }

  private func listing(_ address: String, _ source: any SensorSource, prefix: String = "") -> Listing {
    let remarks: [String] =
      switch source {
      case let sensors as IIOSource: sensors.limitations.map(\.description)
      case let controller as EvdevSource:
        (controller.limitation.map { [$0.description] } ?? []) + ["Axes: \(controller.axes)."]
      default: []
      }
    let summary = prefix + source.info.name + (remarks.isEmpty ? "" : ". " + remarks.joined(separator: " "))
    do throws(SensorError) {
      let calibrated = try calibrated(source, option: nil)
      let date = (calibrated as? CalibratedSource)?.date
      return Listing(address: address, summary: summary, info: calibrated.info, calibrationDate: date)
    } catch {
      return Listing(address: address, summary: summary, info: source.info, problem: error)
    }
  }
}
