// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import SensorPlausibility

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
          return .refused(
            "Gravity has been removed from \(titles(group)). \(SelfCheck.needsGravity)")
        }
        units.append((group, prefix, [name]))
      } else if let name {
        let isPossible = fitting.contains(name) || fitting.isEmpty
        units.append((group, prefix, isPossible ? [name] : [name, fitting[0]]))
      } else if let first = fitting.first {
        units.append((group, prefix, [first]))
        if !isTargetName(group) || first != "m/s^2" {
          remarks.append(
            "the unit of the \(group.kind.rawValue) is \(first) by the length of gravity, \(Self.text(length))"
          )
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
    let readings = part.vectors(group.columns)
    if TableEvidence.isComputedGravity(readings) {
      return .refused(
        "\(titles(group)) are no gyroscope: their length is always \(Self.text(readings.first?.vector.length ?? 0)), while they point elsewhere. That is a direction, of gravity as a device computed it (gravx … in a map, with userx … beside it) or of a field. The rest is read with\n  \(line(choosing: nil, of: ""))"
      )
    }
    if let name {
      units.append((group, "g", [name]))
      return nil
    }
    if let force = groups.first(where: { $0.kind == .accelerometer }),
      let turned = turnedUnits(group, force, areWhole: areWhole(readings))
    {
      units.append((group, "g", turned.units))
      if turned.isUnnamed {
        return .refused(
          "The unit of the gyroscope is not known: its columns (\(titles(group))) name none, and by the turning of gravity it is about \(turned.units[0]). With that in the map:\n  \(line(choosing: nil, of: ""))"
        )
      }
      if turned.isReversed {
        remarks.append(
          "gravity turns against the gyroscope: one of the two has other axes or the wrong sign (--axes, --map)"
        )
      }
      if turned.units.count == 1 {
        remarks.append("the unit of the gyroscope is \(turned.units[0]) by the turning of gravity")
      }
      return nil
    }
    let most = readings.map(\.vector.length).max() ?? 0
    if most > 35, most < 4500 {
      units.append((group, "g", ["deg/s"]))
      remarks.append(
        "the unit of the gyroscope is deg/s: \(Self.text(most)) rad/s is beyond what they measure")
    } else if isTargetName(group) {
      units.append((group, "g", ["rad/s"]))
      remarks.append(
        "the unit of the gyroscope is assumed (rad/s, as the names are those of a map)")
    } else {
      units.append((group, "g", ["rad/s", "deg/s"]))
    }
    return nil
  }

  /// The units in which the gyroscope turns as gravity does, the likeliest first: those that the readings do not tell
  /// apart. Nil where gravity hardly turns.
  private func turnedUnits(
    _ group: Group, _ force: Group, areWhole: Bool
  ) -> (units: [String], isUnnamed: Bool, isReversed: Bool)? {
    guard let name = units.first(where: { $0.prefix == "a" })?.choices.first,
      let scale = ColumnMap.unit(name, of: "ax")?.scale
    else { return nil }
    let (forces, rates) = (timed(force), timed(group))
    let rows = JudgedRows(forces: forces.map { ($0.time, $0.vector * scale) }, rates: rates)
    let usual = TableTime.median(rates.map(\.vector.length)) ?? 0
    var names = ["rad/s", "deg/s", "mrad/s", "mdeg/s"] + (areWhole ? TableEvidence.rateCounts : [])
    // A unit that has no name.
    let turning = TableEvidence.turning(forces, rates).flatMap {
      $0.fit.magnitude > 0.6 ? $0.factor.magnitude : nil
    }
    if let turning { names.append("deg/s/\(Self.text(Angle(degrees: 1).radians / turning))") }
    let possible = names.compactMap { name in
      ColumnMap.unit(name, of: "gx").map { (name, $0.scale) }
    }
    .filter { usual * $0.1 <= Plausibility.fastest }
    guard let found = Plausibility.likelihoods(of: possible.map(\.1), rows) else {
      // Times that begin again are no windows; the regression needs none.
      let near = possible.first { pair in turning.map { (0.5...2).contains(pair.1 / $0) } ?? false }
      return near.map { ([$0.0], false, false) }
    }
    let ranked = possible.indices
      .map {
        (name: possible[$0].0, likelihood: found.likelihoods[$0], isReversed: found.areReversed[$0])
      }
      .sorted { $0.likelihood > $1.likelihood }
    guard let best = ranked.first else { return nil }
    let near = ranked.filter { $0.likelihood > best.likelihood - found.needed }
    // The one without a name is the worse guess, unless the others fit far less; and who counts one sensor counts both.
    let named = near.filter { turning == nil || $0.name != names.last }
    let alike = named.filter { TableEvidence.rateCounts.contains($0.name) == name.hasPrefix("g/") }
    let chosen = named.isEmpty ? near : alike.isEmpty ? named : alike
    return (chosen.map(\.name), named.isEmpty, chosen.first?.isReversed ?? false)
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

  mutating func addMagnetometer(
    _ group: Group, _ name: String?, _ part: TableColumns, isStrange: Bool
  ) {
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
      remarks.append(
        "the unit of the magnetometer is \(fitting) by the length of the earth's field")
    } else {
      remarks.append(
        "the magnetometer is not read, as its unit is not known: a map may have mx=\(table.reference(group.columns[0]))[uT] my=\(table.reference(group.columns[1])) mz=\(table.reference(group.columns[2]))"
      )
    }
  }

  mutating func addPressure(_ group: Group, _ name: String?, _ part: TableColumns) {
    let numbers = part.numbers(group.columns[0]).filter(\.isFinite)
    let middle = TableTime.median(numbers) ?? 0
    let fitting = [("Pa", 1.0), ("hPa", 100), ("kPa", 1000)].first {
      (50_000.0...110_000).contains(middle * $0.1)
    }?.0
    guard let unit = name ?? fitting, let scale = ColumnMap.unit(unit, of: "p")?.scale,
      let most = numbers.max()
    else {
      return
    }
    let isWater = most * scale > Self.mostAir
    units.append((group, isWater ? "pw" : "p", [unit]))
    if isWater {
      remarks.append(
        "the pressure is one of water, as no air has \(Self.text(most * scale / 100)) hPa")
    }
  }

  /// Pa: above what the air has anywhere.
  private static let mostAir = 120_000.0

  static func text(_ number: Double) -> String {
    number.magnitude < 1e12 ? String((number * 1000).rounded() / 1000) : String(number)
  }
}
