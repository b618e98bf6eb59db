// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import LinuxSources
import MotionMath
import MotionSensing
import MotionServices

/// The sensors of this computer and the headphones that are connected to it; all of them run in real time.
extension SourceCatalog {
  /// Opens a source of the kinds `iio`, `evdev`, `ms5837`, `airpods` and `headtracker`.
  func openHardware(_ uri: SourceURI) throws(SensorError) -> Entry {
    let source: any SensorSource
    switch uri.scheme {
    case "iio": source = try IIOSource(path: uri.path, options: uri.options, standardRoot: root)
    case "evdev": source = try EvdevSource(path: uri.path, options: uri.options, standardRoot: root)
    case "ms5837": source = try MS5837Source(path: uri.path, options: uri.options)
    case "airpods": source = try airPods(uri)
    default: source = try HeadTrackerSource(path: uri.path, options: uri.options, standardRoot: root)
    }
    return entry(uri, source)
  }

  private func entry(_ uri: SourceURI, _ source: any SensorSource) -> Entry {
    Entry(uri: uri, source: source, clock: MonotonicClock(), rate: 1, gate: .open)
  }

  /// Nothing is sent to the headphones before there is a subscriber.
  private func airPods(_ uri: SourceURI) throws(SensorError) -> AirPodsSource {
    var options = uri.options
    if let mount = options["mount"], mount.contains("/") || mount.hasSuffix(".json") {
      options["mount"] = try Self.mount(file: mount)
    }
    let mounts = calibrations.map { HeadMountFolder(in: $0).mounts } ?? .none
    return try AirPodsSource(device: uri.path, mounts: mounts, options: options)
  }

  /// The quaternion of a file that `motionctl headphones calibrate` has written, as the driver reads it.
  private static func mount(file path: String) throws(SensorError) -> String {
    guard let file = try HeadMountFile(path: path) else {
      throw SensorError(
        .notFound, "There is no such calibration; motionctl headphones calibrate makes one.", at: .init(file: path))
    }
    let q = file.mount.rotation
    return [q.w, q.x, q.y, q.z].map(\.description).joined(separator: ":")
  }

  /// The best source among the sensors of this computer, with its calibration; nil when it has none. Throws when the calibration
  /// cannot be read.
  func bestOfThisComputer() throws(SensorError) -> Entry? {
    guard var best = bestAsItIs() else { return nil }
    best.source = try calibrated(best.source, option: nil)
    return best
  }

  private func bestAsItIs() -> Entry? {
    let builtIn = IIOSource.best(root: root)
    let controller = EvdevSource.best(root: root)
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
      + IIOSource.each(root: root).map { listing($0.address, $0.source) }
      + EvdevSource.each(root: root).map { listing($0.address, $0.source) }
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

  /// A head tracker that is connected, else AirPods where an adapter could reach them, connected or not (D24); nil where there is neither.
  func headphonesOfThisComputer() throws(SensorError) -> Entry? {
    if HeadTrackerSource.isPresent(root: root) {
      return try openHardware(SourceURI(scheme: "headtracker", path: ""))
    }
    guard hasBluetoothAdapter else { return nil }
    return try openHardware(SourceURI(scheme: "airpods", path: ""))
  }

  var hasBluetoothAdapter: Bool {
    BlueZ(roots: BluetoothRoots(root: root.path)).isAdapterPresent
  }

  /// Head trackers that are connected, and AirPods where there is an adapter: named, not looked for.
  func headTrackerListings() -> [Listing] {
    let trackers = HeadTrackerSource.each(root: root).map { address, source in
      Listing(
        address: address,
        summary: "\(source.info.name), for MOTION_HEADPHONES; \(source.status.protocolName)"
          + (source.limitation.map { ". \($0.message)" } ?? ""),
        info: source.info, problem: source.limitation)
    }
    guard hasBluetoothAdapter else { return trackers }
    return trackers + [
      Listing(
        address: "airpods:",
        summary:
          "AirPods or Beats that are connected over Bluetooth, for MOTION_HEADPHONES; they are not looked for here")
    ]
  }

  /// Depth sensors without a driver of the kernel: named, not looked for.
  func busListings() -> [Listing] {
    let buses = MS5837Source.buses(in: root.nodes).map(String.init)
    guard let first = buses.first else { return [] }
    return [
      Listing(
        address: "ms5837:\(first)",
        summary:
          "an MS5837 depth sensor, if one is wired to an I²C bus (there are \(buses.joined(separator: ", "))); buses are "
          + "not searched, because that may disturb other chips")
    ]
  }
}
