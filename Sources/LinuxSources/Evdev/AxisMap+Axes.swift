// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

extension AxisMap {
  /// A user's own map, "x:-z:y": which of the sensor's axes is our x, which our y, which our z, with their signs.
  ///
  /// Nil unless every axis occurs once and the whole is a rotation: a mirror image would turn the gyroscope against the accelerometer.
  init?(axes text: String) {
    let rows = text.lowercased().split(separator: ":", omittingEmptySubsequences: false).map(Self.row)
    let known = rows.compactMap(\.self)
    guard rows.count == 3, known.count == 3 else { return nil }
    let matrix = Matrix3(
      known[0].x, known[0].y, known[0].z, known[1].x, known[1].y, known[1].z, known[2].x, known[2].y, known[2].z)
    // Signed unit rows: the determinant is ±1, or 0 where an axis occurs twice.
    guard matrix.determinant == 1 else { return nil }
    self.init(matrix: matrix, origin: "axes=\(text)")
  }

  private static func row(_ text: Substring) -> Vector3<Device>? {
    let sign: Double = text.hasPrefix("-") ? -1 : 1
    switch text.drop(while: { $0 == "-" || $0 == "+" }) {
    case "x" where text.count <= 2: return Vector3(x: sign, y: 0, z: 0)
    case "y" where text.count <= 2: return Vector3(x: 0, y: sign, z: 0)
    case "z" where text.count <= 2: return Vector3(x: 0, y: 0, z: sign)
    default: return nil
    }
  }
}
