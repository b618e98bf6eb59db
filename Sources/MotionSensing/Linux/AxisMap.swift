// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

/// From the axes of a chip to those of the device, and its origin.
///
/// ``Device`` is x right, y up along the screen, z out of it, and an accelerometer at rest face up reads +9.81 on z.
/// The kernel's mount matrix leads to the same axes: v' = M · v
/// (Documentation/devicetree/bindings/iio/mount-matrix.txt; AX-1). The matrix must be a rotation; another one, such as
/// the mirror images of some databases, hides a sign convention that does not hold for gyroscopes, and is not used
/// (AX-3).
///
/// A sensor hub comes with the firmware of Windows machines, whose accelerometer reads −1 g face up, and the kernel
/// does not flip it: its accelerometer is negated, its gyroscope and magnetometer are not (AX-4; self-consistent, not
/// proven on hardware).
package struct AxisMap: Hashable, Sendable {
  /// Applied to the chip's vector.
  package var matrix: Matrix3
  /// "mount_matrix", for a person.
  package var origin: String

  package static let identity = AxisMap(matrix: .identity, origin: "the chip's own axes")
  package static let hubAccelerometer = AxisMap(
    matrix: Matrix3(diagonal: -1, -1, -1), origin: "sensor hub, sign reversed")

  /// A mount matrix as the kernel prints it, "1, 0, 0; 0, 1, 0; 0, 0, 1"; nil when it is no rotation within 1 %, which
  /// leaves room for printed digits.
  package init?(mountMatrix text: String, origin: String) {
    let numbers = text.split { $0 == ";" || $0 == "," }.map { Double($0.filter { !$0.isWhitespace }) }
    guard numbers.count == 9, let matrix = Matrix3(list: numbers.compactMap(\.self)), matrix.isOrthogonal,
      matrix.determinant > 0
    else { return nil }
    self.init(matrix: matrix, origin: origin)
  }

  package init(matrix: Matrix3, origin: String) {
    self.matrix = matrix
    self.origin = origin
  }

  /// The vector in device axes.
  package func callAsFunction(x: Double, y: Double, z: Double) -> Vector3<Device> {
    matrix * Vector3<Device>(x: x, y: y, z: z)
  }
}

extension AxisMap {
  /// A user's own map, "x:-z:y": which of the sensor's axes is our x, which our y, which our z, with their signs.
  ///
  /// Nil unless every axis occurs once and the whole is a rotation: a mirror image would turn the gyroscope against the
  /// accelerometer.
  package init?(axes text: String) {
    let rows = text.lowercased().split(separator: ":", omittingEmptySubsequences: false).map(Self.row)
    // Signed unit rows: the determinant is ±1, or 0 where an axis occurs twice.
    guard rows.count == 3, let matrix = Matrix3(list: rows.flatMap { $0?.list ?? [] }), matrix.determinant == 1
    else { return nil }
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
