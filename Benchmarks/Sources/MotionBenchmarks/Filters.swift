// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import OrientationFusion

/// The orientation filter alone: processor time and allocations per update (one reading of each sensor).
///
/// Single precision: `OPENCOREMOTION_DEVELOP=1 swift run -c release --traits SinglePrecision motion-benchmarks filter`.
extension MotionBenchmarks {
  private static let rate = 286.0
  private static let count = passes * rowsPerPass
  /// Ten seconds, repeated, so that the readings stay in the processor's cache.
  private static let passes = 20
  private static let rowsPerPass = 2860
  /// Nanoseconds.
  private static let pass: Int64 = 10_000_000_000

  private struct Row {
    var time: Int64
    var rate, force, field: Vector3<Device>
  }

  /// Half of each pass at rest, half in movement; the end joins the beginning.
  private static func attitude(_ step: Int) -> Rotation<Device, EastNorthUp> {
    let phase = 2 * Double.pi * Double(step) / Double(rowsPerPass)
    let swing = max(0, Scalar.sin(phase)) * max(0, Scalar.sin(phase))
    let turn = Rotation<EastNorthUp, EastNorthUp>(aboutZ: 2 * swing * Scalar.sin(3 * phase))
    return turn
      * Rotation<Device, EastNorthUp>(
        rotationVector: Vector3<Device>(x: 1.5 * swing * Scalar.sin(5 * phase), y: 0, z: 0))
  }

  /// A device that is waved about, the same bits in every run.
  private static func rows() -> [Row] {
    (0..<rowsPerPass).map { step in
      let now = attitude(step)
      return Row(
        time: Int64(Double(step) / rate * 1e9),
        rate: (attitude(step - 1).inverse * now).rotationVector * rate,
        force: now.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: standardGravity),
        field: now.inverse * Vector3<EastNorthUp>(x: 0, y: 20e-6, z: -45e-6))
    }
  }

  static func filter() -> Bool {
    let rows = rows()
    var isGood = true
    for usesMagnetometer in [false, true] {
      let result = measure {
        var filter = OrientationFilter(parameters: .phone, usesMagnetometer: usesMagnetometer)
        for number in 0..<passes {
          for row in rows {
            let time = row.time + Int64(number) * pass
            filter.update(angularVelocity: row.rate, atNanoseconds: time)
            filter.update(specificForce: row.force, atNanoseconds: time)
            guard usesMagnetometer else { continue }
            filter.update(magneticField: row.field, atNanoseconds: time)
          }
        }
        return filter.attitude?.w ?? 0
      }
      print(
        "filter   \(usesMagnetometer ? "9D" : "6D")  \(String(format: "%.1f", result.nanoseconds)) ns an update; allocations \(result.allocations) in \(count) updates"
      )
      if result.allocations > 0 {
        print("filter   FAILED: an update must not allocate")
        isGood = false
      }
    }
    return isGood
  }

  /// The best of five runs: the time of one update and the allocations of a run.
  private static func measure(_ body: () -> Double) -> (nanoseconds: Double, allocations: Int) {
    var best = Double.infinity
    var allocations = 0
    for _ in 0..<5 {
      let (begin, before) = (Meter.threadCPU(), Meter.allocations() ?? 0)
      let value = body()
      let time = Double(Meter.threadCPU() - begin) / Double(count)
      allocations = (Meter.allocations() ?? 0) - before
      if value.isNaN { return (.nan, 0) }
      best = min(best, time)
    }
    return (best, allocations)
  }
}
