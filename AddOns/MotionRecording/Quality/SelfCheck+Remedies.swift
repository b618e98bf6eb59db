// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import SensorPlausibility

// What becomes of a table whose reading, as it was understood, its numbers contradict.
extension SelfCheck {
  /// Why it is not read, and the commands that read it as it says and as it was measured; nil where both are possible,
  /// or where a person has given the map.
  func refusal(_ path: String) -> String? {
    guard let reading = plan.inferred, let finding, finding.level == .error,
      finding.kind != .rateAxes,
      let map = try? ColumnMap(reading.map), let measured = map.text(as: finding)
    else { return nil }
    let file = "'\(path.replacing("'", with: "'\\''"))'"
    let options = reading.arguments.replacing("--map \"\(reading.map)\"", with: "")
    return Self.words(finding, plan)
      + "\nAs it says:\n  motionctl fuse \(file) --map \"\(reading.map)\"\(options)"
      + "\nAs it was measured:\n  motionctl fuse \(file) --map \"\(measured)\"\(options)"
  }

  /// The plan with the gyroscope's axes as they were measured, which no name states; nil where they are right or could
  /// be.
  func corrected(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError)
    -> RecordingPlan?
  {
    guard let reading = plan.inferred, let finding, finding.level == .error,
      finding.kind == .rateAxes,
      let measured = try ColumnMap(reading.map).text(as: finding)
    else { return nil }
    var stated = options
    (stated.map, stated.sign, stated.rate) = (try ColumnMap(measured), reading.sign, reading.rate)
    var corrected = try MappedFormat.plan(files, stated)
    corrected.unread += reading.unread
    let map = reading.arguments.replacing(reading.map, with: measured)
    corrected.assumptions = (["read as with \(map)"] + reading.remarks).map { "\($0)." }
    corrected.warnings.append(
      Self.words(finding, plan)
        + " It is read with these axes. With those of the table: \(reading.arguments)")
    return corrected
  }
}

extension ColumnMap {
  /// The map that takes a finding about the accelerometer or the gyroscope back; nil where none does.
  fileprivate func text(as finding: Finding) -> String? {
    switch finding.kind {
    case .rateScale, .intervalScale: return text("g", AxisOrder()) { $0 * finding.factor }
    case .rateIsTooFast: return text("g", AxisOrder()) { $0 * Angle(degrees: 1).radians }
    case .rateAxes: return text("g", finding.axes) { $0 }
    case .forceUnit: return text("a", AxisOrder()) { _ in standardGravity / finding.factor }
    default: return nil
    }
  }

  /// With the axes of a sensor in another order, and another unit.
  private func text(_ prefix: String, _ axes: AxisOrder, _ scale: (Double) -> Double) -> String? {
    let targets = ["x", "y", "z"].map { prefix + $0 }
    guard self[targets[0]] != nil else { return nil }
    let parts = entries.compactMap { entry -> String? in
      var (source, sign) = (entry, 1.0)
      if let index = targets.firstIndex(of: entry.target) {
        let axis = [axes.x, axes.y, axes.z][index]
        guard let other = self[targets[abs(axis) - 1]] else { return nil }
        (source, sign) = (other, axis < 0 ? -1 : 1)
        source.unit = source.unit.map {
          Self.unit(scale: scale($0.scale) * sign, as: $0, of: entry.target)
        }
      }
      let column = if case .name(let name) = source.column { name } else { source.column.number }
      return "\(entry.target)=\(column)" + (source.sensor.map { "{\($0)}" } ?? "")
        + (source.unit.map { "[\($0.name)]" } ?? "")
    }
    return (parts + (isCalibrated ? ["calibrated=yes"] : [])).joined(separator: " ")
  }

  /// The unit with this scale: one that has a name, else a part of another one.
  private static func unit(scale: Double, as unit: Unit, of target: String) -> Unit {
    func isNear(_ other: Double) -> Bool { abs(abs(scale) / other - 1) < 1e-6 }
    let known = ([unit] + unitNames(of: target).compactMap { Self.unit($0, of: target) }).first {
      isNear(abs($0.scale))
    }
    let name = known?.name ?? "\(unit.name)/\(abs(unit.scale / scale))"
    let isReversed = (known?.scale ?? unit.scale) * scale < 0
    return Unit(name: isReversed ? "\(name)/-1" : name, scale: scale)
  }
}

extension ColumnMap.Entry.Column {
  fileprivate var number: String {
    if case .index(let index) = self { "#\(index + 1)" } else { "" }
  }
}
