// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import SensorPlausibility

@c(ocm_check)
public func check(
  _ parameters: Borrowed<ocm_parameters>?, _ isSignSaid: Int32, _ count: Int64,
  _ input: Borrowed<ocm_input>?,
  _ verdict: Lent<ocm_verdict>?
) -> Int32 {
  code { () throws(Failure) in
    guard let input else { throw .null }
    let rows = CheckedRows(count: try rows(count), reader: RowReader(input.pointee))
    guard rows.count == 0 || rows.reader.hasTime,
      rows.count == 0 || rows.reader.accelerometer.exists
    else {
      throw .null
    }
    guard rows.reader.areTypesKnown else { throw .size }
    let settings = try parameters.value() ?? ocm_parameters.standard
    var said = Plausibility.Statements()
    (said.fieldUnit, said.isCalibrated) = (
      settings.magnetometer_unit, settings.magnetometer_is_calibrated != 0
    )
    (said.isSignSaid, said.zerosAreMissing) = (isSignSaid != 0, settings.zeros_are_missing != 0)
    try ocm_verdict(Plausibility.judge(rows, said)).write(to: verdict)
  }
}

private struct CheckedRows: SensorRows {
  let count: Int
  let reader: RowReader
  var hasRate: Bool { reader.gyroscope.exists }
  var hasField: Bool { reader.magnetometer.exists }
  func time(_ row: Int) -> Int64 { reader.time(row) }
  func rate(_ row: Int) -> Vector3<Device> { reader.gyroscope[row] }
  func force(_ row: Int) -> Vector3<Device> { reader.accelerometer[row] }
  func field(_ row: Int) -> Vector3<Device> { reader.magnetometer[row] }
}

extension ocm_verdict: SizedStructure {
  static var firstSize: Int { 64 }

  init(_ verdict: Verdict) {
    self.init()
    (turns, confirms_sign, factor) = (verdict.turns ? 1 : 0, verdict.confirmsSign ? 1 : 0, 1)
    axes = (1, 2, 3)
    guard let finding = verdict.finding else { return }
    (level, kind) = (finding.level.rawValue, finding.kind.rawValue)
    axes = (Int32(finding.axes.x), Int32(finding.axes.y), Int32(finding.axes.z))
    (measured, evidence) = (finding.measured, finding.evidence)
    (factor, lever) = (finding.factor, finding.lever)
  }
}
