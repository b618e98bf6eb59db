// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import HeadphoneSources
import LinuxSources
package import MotionHost
import MotionSensing

extension HostEnvironment {
  /// Looks at everything that motion needs here, and changes nothing.
  package func checkup() -> Checkup {
    var checkup = Checkup()
    let sensors = IIOSource.each(root: root)
    let controllers = EvdevSource.each(root: root)
    checkup.findings += sensors.map { finding(of: $0.source, at: $0.address) }
    checkup.findings += controllers.map {
      finding(
        $0.source.info.name, at: $0.address, $0.source.limitation, .problem, ok: "its motion may be read.",
        again: "plug the controller in")
    }
    if sensors.isEmpty, controllers.isEmpty { checkup.findings.append(nothing()) }
    checkup.findings += rules(sensors.map(\.source), controllers.map(\.source))
    checkup.findings += headphoneFindings()
    checkup.findings += calibrationFindings()
    let (source, canRead) = chosenSource()
    checkup.findings.append(source)
    checkup.canReadMotion = canRead
    return checkup
  }

  private func finding(of source: IIOSource, at address: String) -> Checkup.Finding {
    let name = source.info.name
    guard let limitation = source.limitations.first else {
      return .init(.ok, address, "\(name): its buffer is free and may be used.")
    }
    // Polling needs no permission and works; it is slower, and its times are those of reading.
    switch limitation.code {
    case .busy:
      // The address "iio:device0" is also the kernel's name for the node.
      var holders = root.programs(holding: "\(root.nodes)/\(address)")
      // It opens the node for each reading, so that it seldom shows as its holder (PERM-5).
      if holders.isEmpty, root.isRunning("iio-sensor-proxy") { holders = ["iio-sensor-proxy"] }
      let who = holders.isEmpty ? "another program" : holders.joined(separator: ", ")
      return .init(
        .warning, address, "\(name): \(who) has switched its buffer on, so it is polled.",
        remedy: holders == ["iio-sensor-proxy"]
          ? "To read with full precision in time: sudo systemctl stop iio-sensor-proxy (the screen then no longer turns)."
          : "End that program to read with full precision in time.")
    case .notPermitted:
      return .init(
        .warning, address, "\(name): this user may not use its buffer, so it is polled.",
        remedy: "Install the rule below and join the group iio.")
    default:
      return .init(.ok, address, "\(name): \(limitation.message) It is polled.")
    }
  }

  /// A device that is read whole or not at all.
  private func finding(
    _ name: String, at address: String, _ limitation: SensorError?, _ level: Checkup.Level, ok: String, again: String
  ) -> Checkup.Finding {
    guard let limitation else { return .init(.ok, address, "\(name): \(ok)") }
    guard limitation.code == .notPermitted else { return .init(level, address, "\(name): \(limitation.message)") }
    return .init(
      level, address, "\(name): this user may not read its motion.",
      remedy: "Install the rule below and \(again) again.")
  }

  /// Why there may be no sensor: no driver has been loaded, or there is none to load.
  private func nothing() -> Checkup.Finding {
    let modules = ["industrialio", "hid_sensor_hub", "hid_playstation", "hid_nintendo", "hid_sony"]
    let loaded = modules.filter { root.hasModule($0) }
    return .init(
      .warning, "sensors of this computer",
      "The kernel knows no motion sensor: neither an IIO device nor a game controller. "
        + (loaded.isEmpty ? "None of its modules for them is loaded." : "Loaded: \(loaded.joined(separator: ", "))."),
      remedy:
        "Plug a controller in, or load the sensor's driver (such as sudo modprobe hid_sensor_accel_3d); a chip on I²C "
        + "must be announced to the kernel (i2cdetect -l shows the buses; the page Sources says how). A simulation needs nothing: MOTION_SOURCE=simulate:handheld."
    )
  }

  /// Rules are only for those who need them: a rule that is missing where everything may be read is no defect.
  private func rules(
    _ sensors: [IIOSource], _ controllers: [EvdevSource]
  ) -> [Checkup.Finding] {
    let isSensorRefused = sensors.contains { $0.limitations.contains { $0.code == .notPermitted } }
    let isControllerRefused = controllers.contains { $0.limitation?.code == .notPermitted }
    return [(UdevRule.sensors, isSensorRefused), (.controllers, isControllerRefused)].compactMap { rule, isMissed in
      let subject = "udev rule"
      if let file = root.ruleFile(with: rule.text) {
        guard isMissed else { return .init(.ok, subject, "\(file) has the rule for \(rule.purpose).") }
        return .init(
          .warning, subject, "\(file) has the rule for \(rule.purpose), but it has no effect yet.",
          remedy: rule == .sensors
            ? "Join the group (sudo groupadd --system iio; sudo usermod -aG iio \"$USER\") and restart the computer."
            : "Plug the controller in again; without a seat (over SSH) join the group input.")
      }
      guard isMissed else { return nil }
      return .init(
        .warning, subject, "There is no rule for \(rule.purpose).",
        remedy: "motionctl doctor --rule | sudo tee \(Checkup.rulePath); "
          + (rule == .sensors ? "sudo groupadd --system iio; sudo usermod -aG iio \"$USER\"; " : "")
          + "then restart the computer.")
    }
  }

  private func calibrationFindings() -> [Checkup.Finding] {
    let folder: DeviceFolder?
    do { folder = try calibrations() } catch {
      return [.init(.problem, "MOTION_CALIBRATION", error.message, remedy: "Correct it, or leave it out.")]
    }
    return (folder?.files ?? []).map { path in
      do throws(SensorError) {
        guard let file = try CalibrationFile(path: path) else {
          return .init(.problem, path, "The calibration file was removed.")
        }
        let kinds = file.calibration.kinds.names.joined(separator: ", ")
        return .init(.ok, path, "Calibration of “\(file.device)”: \(kinds.isEmpty ? "of no sensor yet" : kinds).")
      } catch {
        return .init(.problem, path, error.message)
      }
    }
  }

  /// The source that a program gets.
  private func chosenSource() -> (Checkup.Finding, Bool) {
    let setting = variables["MOTION_SOURCE"] ?? ""
    let subject = setting.isEmpty ? "source" : "MOTION_SOURCE=\(setting)"
    do throws(SensorError) {
      guard let entry = try device() else {
        return (
          .init(
            .problem, subject, "A program gets no motion here: there is no sensor, and MOTION_SOURCE is not set."),
          false
        )
      }
      let info = entry.source.info
      let kinds = info.kinds.names.joined(separator: ", ")
      // A controller that may not be read opens; it would fail at the first run.
      let base = (entry.source as? CalibratedSource)?.base ?? entry.source
      if let limitation = (base as? EvdevSource)?.limitation {
        return (.init(.problem, subject, "A program gets no motion here: \(limitation.message)"), false)
      }
      guard !info.kinds.isDisjoint(with: [.inertial, .motion]) else {
        return (
          .init(.problem, subject, "A program gets \(info.name), which measures no motion, only \(kinds)."), false
        )
      }
      let origin = info.origin == .hardware ? "" : " (a \(info.origin.rawValue), no sensor is read)"
      return (.init(.ok, subject, "A program gets \(info.name)\(origin): \(kinds)."), true)
    } catch {
      return (.init(.problem, subject, "A program gets no motion here: \(error.description)"), false)
    }
  }
}

/// Headphones in a checkup.
extension HostEnvironment {
  /// What is connected, and what stands in its way. Nothing is said where there is neither a head tracker nor a
  /// Bluetooth adapter.
  func headphoneFindings() -> [Checkup.Finding] {
    let trackers = HeadTrackerSource.each(root: root)
    var findings = trackers.map { address, source in
      finding(
        source.info.name, at: address, source.limitation, .warning,
        ok: "it may be read, by the \(source.status.protocolName) protocol.", again: "connect the headphones")
    }
    let rule = UdevRule.headTrackers
    if trackers.contains(where: { $0.source.limitation?.code == .notPermitted }), root.ruleFile(with: rule.text) == nil
    {
      findings.append(
        .init(
          .warning, "udev rule", "There is no rule for \(rule.purpose).",
          remedy: "motionctl doctor --rule | sudo tee \(Checkup.rulePath); then connect the headphones again."))
    }
    if trackers.isEmpty, BlueZ(root: root.path).isAdapterPresent {
      findings.append(
        .init(
          .ok, "headphones",
          "There is a Bluetooth adapter: AirPods that are connected can be read (airpods:), and no head "
            + "tracker is connected."))
    }
    return findings
  }
}
