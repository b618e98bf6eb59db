// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// What goes wrong with sensors, as changes of a log.
extension SensorLog {
  /// Every n-th row, picked: what a slower sensor without a low-pass would deliver.
  func every(_ divider: Int) -> Self {
    with { log in log.rows = stride(from: 0, to: rows.count, by: divider).map { rows[$0] } }
  }

  func mapRows(_ change: (inout Row) -> Void) -> Self {
    with { log in for index in log.rows.indices { change(&log.rows[index]) } }
  }

  /// The magnetometer shows what it should have shown so many rows before.
  func magnetometerLate(byRows count: Int) -> Self {
    with { log in
      for index in log.rows.indices { log.rows[index].magneticField = rows[max(0, index - count)].magneticField }
    }
  }

  /// White noise beside what there is: rad/s, m/s², T per sample.
  func noisier(gyroscope: Double, accelerometer: Double, magnetometer: Double) -> Self {
    var random = Lehmer(seed: 77)
    return mapRows { row in
      row.angularVelocity += random.vector(gyroscope)
      row.specificForce += random.vector(accelerometer)
      row.magneticField += random.vector(magnetometer)
    }
  }

  /// The field of the first seconds comes from 90° farther west; only where the truth is known for all of them.
  func fieldTurned(forSeconds duration: Double) -> Self {
    let quarter = Rotation<EastNorthUp, EastNorthUp>(aboutZ: .pi / 2)
    return mapRows { row in
      guard seconds(row) < duration, let truth = row.truth else { return }
      row.magneticField = truth.inverse * (quarter * (truth * row.magneticField))
    }
  }

  /// Without what comes before these seconds.
  func from(seconds start: Double) -> Self {
    with { log in log.rows.removeAll { seconds($0) < start } }
  }

  /// Without what comes before the first row whose truth counts.
  func fromFirstTruth() -> Self {
    with { log in log.rows.removeFirst(rows.firstIndex { $0.truth != nil } ?? 0) }
  }

  /// All readings in other axes of the device: a sensor that is mounted differently.
  func turned(by mounting: Rotation<Device, Device>) -> Self {
    mapRows { row in
      row.angularVelocity = mounting * row.angularVelocity
      row.specificForce = mounting * row.specificForce
      row.magneticField = mounting * row.magneticField
      row.truth = row.truth.map { $0 * mounting.inverse }
    }
  }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var log = self
    change(&log)
    return log
  }
}
