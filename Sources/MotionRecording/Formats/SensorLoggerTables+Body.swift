// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

// What a watch and headphones send: a device motion a row.
extension SensorLoggerTables {
  /// Rows that are looked at where only the numbers tell their unit and sign.
  private static let probedRows = 200

  /// `WristMotion` or `Headphone`; nil when the file is missing.
  ///
  /// As Core Motion has it the acceleration is in g and Apple's sign; gravity is in g on the wrist and in m/s² for headphones.
  /// Standardised, both are in m/s², upwards at rest.
  func bodyMotion(
    _ sensor: String, reference: FusedMotionSample.Reference
  ) throws(SensorError) -> TableStreamPlan? {
    typealias Slot = FusedForm.Slot
    let groups = [
      ("quaternion", Slot.attitude + 1), ("rotationRate", Slot.angularVelocity), ("gravity", Slot.gravity),
      ("acceleration", Slot.acceleration),
    ]
    var wanted = [("quaternionW", Slot.attitude)]
    for (name, slot) in groups { wanted += ["X", "Y", "Z"].enumerated().map { (name + $1, slot + $0) } }
    guard let table = try numbers(sensor, wanted) else { return nil }
    var form = FusedForm(reference: reference, accelerationUnit: .reversedGravity)
    if units.isWatchStandardised || (units.isWatchAmbiguous && isUpward(table)) {
      form.accelerationUnit = .metresPerSecondSquared
      form.isEastNorthUp = units.isWatchConverted
    } else if sensor == "Headphone" {
      form.gravityScale = 1 / standardGravity
    }
    return TableStreamPlan(table: table, form: .fusedMotion(form))
  }

  /// Whether the gravity of most rows points where their attitude says up is: the sign of the standardised form.
  private func isUpward(_ table: TableFile) -> Bool {
    typealias Slot = FusedForm.Slot
    let values = RowValues(count: Slot.count)
    let context = ReadingContext(skipsErrors: true, problemLimit: InputLimits.problemsWhileProbing)
    // Damage is for the reader to report.
    guard let reader = try? table.open(values, context) else { return false }
    var balance = 0
    for _ in 0..<Self.probedRows {
      guard (try? reader.next()) == true else { break }
      let numbers = values.numbers
      guard
        let attitude = Rotation<Device, NorthWestUp>(
          w: numbers[Slot.attitude], x: numbers[Slot.attitude + 1], y: numbers[Slot.attitude + 2],
          z: numbers[Slot.attitude + 3])
      else { continue }
      let up = attitude.inverse * Vector3<NorthWestUp>(x: 0, y: 0, z: 1)
      balance += up.dot(Vector3(numbers, at: Slot.gravity)) > 0 ? 1 : -1
    }
    return balance > 0
  }
}
