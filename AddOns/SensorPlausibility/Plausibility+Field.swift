// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// Whether the magnetometer reads the earth's field, in the axes of the other sensors.
extension Plausibility {
  /// For other axes of the magnetometer.
  private static let fieldEvidence = 12.0
  /// µT: of a mean of the magnetometer; and what the place changes within and between windows.
  private static let fieldNoise = 2.0
  private static let fieldChange = 5.0

  /// What is wrong, and the field's inclination below the horizon, rad, if it is known.
  static func field(
    _ windows: Windows?, _ some: Sample, _ fit: Fit, _ modes: Modes, _ said: Statements
  ) -> (Finding?, Double?) {
    let lengths = some.fields.map { $0.length }
    guard !lengths.isEmpty else { return (nil, nil) }
    let usual = middle(lengths)
    guard (8...(said.isCalibrated ? 150 : 5000)).contains(usual) else {
      return (Finding(kind: .fieldLength, measured: usual), nil)
    }
    guard let windows,
      let fields = FieldWindows(windows, fit, modes, deviation: said.isCalibrated ? 0.01 : 1000)
    else { return (nil, nil) }
    let own = fields.explained(by: AxisOrder())
    if own.likelihood < -fieldEvidence {
      // With all signs reversed it is the same, but in the other half of the earth: six in seven people live where it
      // points down.
      func prior(_ found: FieldWindows.Explanation) -> Double {
        found.likelihood + (found.vertical < 0 ? 1.7 : 0)
      }
      let others = AxisOrder.all.dropFirst().map { ($0, fields.explained(by: $0)) }
      if let best = others.max(by: { prior($0.1) < prior($1.1) }) {
        let evidence = best.1.likelihood - own.likelihood
        // And explains them well: a magnet nearby fits no axes, but some less badly than others.
        if evidence > fieldEvidence, -best.1.likelihood < Double(fields.count) {
          return (Finding(kind: .fieldAxes, measured: usual, evidence: evidence, axes: best.0), nil)
        }
      }
    }
    guard fields.offsetDeviation <= 3 else { return (nil, nil) }
    if 150 < own.strength, own.strength < 1500, usual > 150 {
      return (Finding(kind: .fieldLength, measured: own.strength), nil)
    }
    guard 12 < own.strength, own.strength < 110 else { return (nil, nil) }
    return (nil, Scalar.asin(min(max(-own.vertical / own.strength, -1), 1)))
  }

  /// In axes that do not turn the earth's field is constant; that of the device turns: an offset.
  struct FieldWindows {
    struct Explanation {
      var likelihood: Double
      /// µT, and the part of it that points up.
      var strength: Double
      var vertical: Double
    }
    /// What a rotation makes of each component of the reading, and of an offset, in each mode.
    private struct Window {
      /// The column of the rotation times the component of the reading.
      var readings = InlineArray<9, Modes.Sums>(repeating: Modes.zero)
      var offsets = InlineArray<3, Modes.Sums>(repeating: Modes.zero)
      var up = Vector3<Still>.zero
    }
    private var windows: [Window] = []
    private var normal = Matrix3.zero
    private let inverse: Matrix3
    /// µT.
    let offsetDeviation: Double
    var count: Int { windows.count }

    /// Nil without a field. `deviation`: of the device's own field, µT.
    init?(_ all: Windows, _ fit: Fit, _ modes: Modes, deviation: Double) {
      for window in 0..<all.count {
        let first = window * Windows.steps
        guard all.field.count > first, let up = fit.means[window].normalized,
          all.field[first..<first + Windows.steps].allSatisfy({ $0.isFinite })
        else { continue }
        var found = Window()
        found.up = up
        all.walk(window, .identity, fit) { step, rotation, _ in
          let axes = rotation.matrix
          let reading = all.field[first + step]
          let columns: InlineArray<3, Vector3<Still>> = [
            Vector3(x: axes.m11, y: axes.m21, z: axes.m31),
            Vector3(x: axes.m12, y: axes.m22, z: axes.m32),
            Vector3(x: axes.m13, y: axes.m23, z: axes.m33),
          ]
          for i in 0..<3 {
            modes.add(columns[i], step, to: &found.offsets[i])
            modes.add(columns[i] * reading.x, step, to: &found.readings[3 * i])
            modes.add(columns[i] * reading.y, step, to: &found.readings[3 * i + 1])
            modes.add(columns[i] * reading.z, step, to: &found.readings[3 * i + 2])
          }
        }
        windows.append(found)
        for mode in 1...Modes.waves {
          let (a, b, c) = (found.offsets[0][mode], found.offsets[1][mode], found.offsets[2][mode])
          normal =
            normal
            + Matrix3(
              a.dot(a), a.dot(b), a.dot(c), b.dot(a), b.dot(b), b.dot(c), c.dot(a), c.dot(b),
              c.dot(c))
        }
      }
      let prior = 1 / (deviation * deviation)
      normal = normal * (1 / (fieldNoise * fieldNoise)) + Matrix3(diagonal: prior, prior, prior)
      guard !windows.isEmpty, let inverse = normal.inverse else { return nil }
      self.inverse = inverse
      offsetDeviation = max(inverse.m11, inverse.m22, inverse.m33).squareRoot()
    }

    /// Of readings in other axes.
    func explained(by axes: AxisOrder) -> Explanation {
      let h = axes.matrix
      let cells = [h.m11, h.m12, h.m13, h.m21, h.m22, h.m23, h.m31, h.m32, h.m33]
      var turned: [Modes.Sums] = []
      var right = Vector3<Device>.zero
      for window in windows {
        var sums = Modes.zero
        for mode in 0...Modes.waves {
          for cell in 0..<9 where cells[cell] != 0 {
            sums[mode] += window.readings[cell][mode] * cells[cell]
          }
          guard mode > 0 else { continue }
          right += Vector3(
            x: window.offsets[0][mode].dot(sums[mode]), y: window.offsets[1][mode].dot(sums[mode]),
            z: window.offsets[2][mode].dot(sums[mode]))
        }
        turned.append(sums)
      }
      let offset = inverse * right * (1 / (fieldNoise * fieldNoise))
      var (strengths, verticals, energies): ([Double], [Double], [Double]) = ([], [], [])
      for (window, sums) in zip(windows, turned) {
        func rest(_ mode: Int) -> Vector3<Still> {
          sums[mode] - window.offsets[0][mode] * offset.x - window.offsets[1][mode] * offset.y
            - window.offsets[2][mode] * offset.z
        }
        let earth = rest(0)
        strengths.append(earth.length)
        verticals.append(earth.dot(window.up))
        energies.append((1...Modes.waves).reduce(0.0) { $0 + rest($1).dot(rest($1)) })
      }
      let (strength, vertical) = (middle(strengths), middle(verticals))
      var likelihood = 0.0
      for index in energies.indices {
        let (a, b) = (strengths[index] - strength, verticals[index] - vertical)
        likelihood -=
          2.5 * Scalar.log(1 + (energies[index] + a * a + b * b) / 6 / (fieldChange * fieldChange))
      }
      return Explanation(likelihood: likelihood, strength: strength, vertical: vertical)
    }
  }
}
