// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

// Units.
extension TableInference {
  mutating func addUnits(_ group: Group) -> Outcome? {
    let name = group.columns.compactMap { table.names[$0].unit }.first
    let part = rows(of: group)
    let strange = group.columns.contains { table.names[$0].hasStrangeUnit }
    switch group.kind {
    case .accelerometer, .gravity:
      let readings = part.vectors(group.columns)
      let perSecond = rate ?? time?.interval.map { 1 / $0 } ?? 50
      let stride = Int(clamping: min(1000, max(5, perSecond)).rounded())
      let length = TableEvidence.gravityLength(readings, stride: stride) ?? 0
      let fitting = TableEvidence.accelerationUnits(length: length, areWhole: areWhole(readings))
      let prefix = group.kind == .gravity ? "grav" : "a"
      let isLinear =
        group.kind == .accelerometer
        && TableEvidence.isWithoutGravity(readings.map(\.vector), stride: 4 * stride)
      if isLinear {
        // The length of what is left shows no unit.
        guard let name else {
          return .refused("Gravity has been removed from \(titles(group)). \(SelfCheck.needsGravity)")
        }
        units.append((group, prefix, [name]))
      } else if let name {
        let isPossible = fitting.contains(name) || fitting.isEmpty
        units.append((group, prefix, isPossible ? [name] : [name, fitting[0]]))
      } else if let first = fitting.first {
        units.append((group, prefix, [first]))
        if !isTargetName(group) || first != "m/s^2" {
          remarks.append(
            "the unit of the \(group.kind.rawValue) is \(first) by the length of gravity, \(Self.text(length))")
        }
      } else {
        return .refused(
          "The unit of the \(group.kind.rawValue) is not known: its columns (\(titles(group))) name none that is known, and in their quietest second their length is \(Self.text(length)), in no usual unit that of gravity. Give it in the map, as in\n  \(line(adding: group, prefix, "g"))"
        )
      }
    case .userAcceleration:
      let unit = units.first { $0.prefix == "grav" }?.choices.first
      units.append((group, "user", [name ?? unit ?? "g"]))
    case .gyroscope: return addGyroscope(group, name, part)
    case .magnetometer: addMagnetometer(group, strange ? nil : name, part, isStrange: strange)
    case .pressure: addPressure(group, name, part)
    default: break
    }
    return nil
  }

  /// The names are those of a map's targets, which are in SI where nothing says otherwise.
  func isTargetName(_ group: Group) -> Bool {
    let names = group.columns.map { table.structure.names?[$0] ?? "" }
    return names == ["ax", "ay", "az"] || names == ["gx", "gy", "gz"]
  }

  mutating func addGyroscope(_ group: Group, _ name: String?, _ part: TableColumns) -> Outcome? {
    var turned: [String]?
    if let force = groups.first(where: { $0.kind == .accelerometer }) {
      let readings = part.vectors(group.columns)
      if let turning = TableEvidence.turning(timed(force), timed(group)),
        turning.fit.magnitude > 0.6
      {
        turned = TableEvidence.rateUnits(factor: turning.factor.magnitude, areWhole: areWhole(readings))
        if turned == [], name == nil {
          let degrees = Angle(radians: turning.factor.magnitude).degrees
          return .refused(
            "The unit of the gyroscope is not known: its columns (\(titles(group))) name none, and by the turning of gravity it is about \(Self.text(degrees)) deg/s. Give it in the map, as in\n  \(line(adding: group, "g", "deg/s/\(Self.text(1 / degrees))"))"
          )
        }
        if turning.fit < 0 {
          remarks.append(
            "gravity turns against the gyroscope: one of the two has other axes or the wrong sign (--axes, --map)")
        }
      }
    }
    if let name {
      // A name that contradicts the turning of gravity leaves both.
      let other = turned?.contains(name) == false && !name.contains("/s/") ? turned?.prefix(1) ?? [] : []
      units.append((group, "g", [name] + other))
      return nil
    }
    let most = part.vectors(group.columns).map(\.vector.length).max() ?? 0
    if let turned, let first = turned.first {
      units.append((group, "g", turned))
      remarks.append("the unit of the gyroscope is \(first) by the turning of gravity")
    } else if most > 35, most < 4500 {
      units.append((group, "g", ["deg/s"]))
      remarks.append("the unit of the gyroscope is deg/s: \(Self.text(most)) rad/s is beyond what they measure")
    } else if isTargetName(group) {
      units.append((group, "g", ["rad/s"]))
      remarks.append("the unit of the gyroscope is assumed (rad/s, as the names are those of a map)")
    } else {
      units.append((group, "g", ["rad/s", "deg/s"]))
    }
    return nil
  }

  /// The readings of a group with their times, s.
  private func timed(_ group: Group) -> [(time: Double, vector: Vector3<Device>)] {
    let part = rows(of: group)
    var seconds = part.rows.indices.map { Double($0) / (rate ?? .nan) }
    if group.sensor == nil, let time {
      seconds = time.seconds
    } else if time != nil, case .time(let own) = TableTime.find(in: part) {
      seconds = own.seconds
    }
    return part.vectors(group.columns).compactMap { row, vector in
      row < seconds.count && seconds[row].isFinite ? (seconds[row], vector) : nil
    }
  }

  mutating func addMagnetometer(_ group: Group, _ name: String?, _ part: TableColumns, isStrange: Bool) {
    if let name {
      units.append((group, "m", [name]))
      return
    }
    let middle = TableTime.median(part.vectors(group.columns).map(\.vector.length)) ?? 0
    // The earth's field is 22 to 67 µT, indoors a little more or less.
    let earth = [("uT", 1.0), ("mG", 10), ("G", 0.01), ("nT", 1000), ("mT", 1e-3), ("T", 1e-6)]
    let fitting = isStrange ? nil : earth.first { (18.0...80).contains(middle / $0.1) }?.0
    if let fitting {
      units.append((group, "m", [fitting]))
      remarks.append("the unit of the magnetometer is \(fitting) by the length of the earth's field")
    } else {
      remarks.append(
        "the magnetometer is not read, as its unit is not known: a map may have mx=\(table.reference(group.columns[0]))[uT] my=\(table.reference(group.columns[1])) mz=\(table.reference(group.columns[2]))"
      )
    }
  }

  mutating func addPressure(_ group: Group, _ name: String?, _ part: TableColumns) {
    let numbers = part.numbers(group.columns[0]).filter(\.isFinite)
    let middle = TableTime.median(numbers) ?? 0
    let fitting = [("Pa", 1.0), ("hPa", 100), ("kPa", 1000)].first { (50_000.0...110_000).contains(middle * $0.1) }?.0
    guard let unit = name ?? fitting, let scale = ColumnMap.unit(unit, of: "p")?.scale, let most = numbers.max() else {
      return
    }
    let isWater = most * scale > Self.mostAir
    units.append((group, isWater ? "pw" : "p", [unit]))
    if isWater {
      remarks.append("the pressure is one of water, as no air has \(Self.text(most * scale / 100)) hPa")
    }
  }

  /// Pa: above what the air has anywhere.
  private static let mostAir = 120_000.0

  static func text(_ number: Double) -> String {
    number.magnitude < 1e12 ? String((number * 1000).rounded() / 1000) : String(number)
  }
}
