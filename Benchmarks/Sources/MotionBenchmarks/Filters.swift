// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import OrientationFusion
import OrientationFusionFloat
import OrientationFusionFloatLanes
import OrientationFusionLanes

/// The orientation filter alone: processor time and allocations per update (one reading of each sensor), for one stream and
/// for as many side by side as there are lanes, eight in double precision and sixteen in single.
///
/// For a processor's longer registers: `swift run -c release --package-path Benchmarks -Xswiftc -target-cpu -Xswiftc znver4
/// motion-benchmarks filter`.
extension MotionBenchmarks {
  private static let rate = 286.0
  /// Updates of each stream: some seconds, again and again, so that the readings stay in the processor's cache.
  private static let count = passes * rowsPerPass
  private static let passes = 20
  private static let rowsPerPass = 2860
  /// Nanoseconds.
  private static let pass: Int64 = 10_000_000_000

  /// Eight devices that are waved about, the same bits in every run.
  private struct Row {
    var time: Int64
    var rate: (x: SIMD8<Double>, y: SIMD8<Double>, z: SIMD8<Double>)
    var force: (x: SIMD8<Double>, y: SIMD8<Double>, z: SIMD8<Double>)
    var field: (x: SIMD8<Double>, y: SIMD8<Double>, z: SIMD8<Double>)
  }

  /// The same twice, in single precision.
  private struct ShortRow {
    var time: Int64
    var rate: (x: SIMD16<Float>, y: SIMD16<Float>, z: SIMD16<Float>)
    var force: (x: SIMD16<Float>, y: SIMD16<Float>, z: SIMD16<Float>)
    var field: (x: SIMD16<Float>, y: SIMD16<Float>, z: SIMD16<Float>)

    init(_ row: Row) {
      func twice(_ v: SIMD8<Double>) -> SIMD16<Float> { SIMD16(lowHalf: SIMD8(v), highHalf: SIMD8(v)) }
      time = row.time
      rate = (twice(row.rate.x), twice(row.rate.y), twice(row.rate.z))
      force = (twice(row.force.x), twice(row.force.y), twice(row.force.z))
      field = (twice(row.field.x), twice(row.field.y), twice(row.field.z))
    }
  }

  /// Half of each pass at rest, half in movement; the end joins the beginning.
  private static func attitude(_ step: Int, lane: Int) -> Rotation<Device, EastNorthUp> {
    let phase = 2 * Double.pi * Double(step) / Double(rowsPerPass)
    let swing = max(0, Scalar.sin(phase)) * max(0, Scalar.sin(phase))
    let turn = Rotation<EastNorthUp, EastNorthUp>(
      aboutZ: Double(lane) + 2 * swing * Scalar.sin(3 * phase + Double(lane)))
    return turn
      * Rotation<Device, EastNorthUp>(
        rotationVector: Vector3<Device>(x: 1.5 * swing * Scalar.sin(5 * phase), y: 0, z: 0))
  }

  private static func rows() -> [Row] {
    let zero = (x: SIMD8<Double>.zero, y: SIMD8<Double>.zero, z: SIMD8<Double>.zero)
    return (0..<rowsPerPass).map { step in
      var row = Row(time: Int64(Double(step) / rate * 1e9), rate: zero, force: zero, field: zero)
      for lane in 0..<8 {
        let now = attitude(step, lane: lane)
        let w = (attitude(step - 1, lane: lane).inverse * now).rotationVector * rate
        let f = now.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: 9.80665)
        let m = now.inverse * Vector3<EastNorthUp>(x: 0, y: 20e-6, z: -45e-6)
        (row.rate.x[lane], row.rate.y[lane], row.rate.z[lane]) = (w.x, w.y, w.z)
        (row.force.x[lane], row.force.y[lane], row.force.z[lane]) = (f.x, f.y, f.z)
        (row.field.x[lane], row.field.y[lane], row.field.z[lane]) = (m.x, m.y, m.z)
      }
      return row
    }
  }

  /// The readings of the first device.
  private struct SingleRow {
    var time: Int64
    var rate, force, field: Vector3<Device>

    init(_ row: Row) {
      time = row.time
      rate = Vector3(x: row.rate.x[0], y: row.rate.y[0], z: row.rate.z[0])
      force = Vector3(x: row.force.x[0], y: row.force.y[0], z: row.force.z[0])
      field = Vector3(x: row.field.x[0], y: row.field.y[0], z: row.field.z[0])
    }
  }

  static func filter() -> Bool {
    let rows = rows()
    let single = rows.map(SingleRow.init)
    let short = rows.map(ShortRow.init)
    let parameters = Array(repeating: OrientationFusion.OrientationFilter.Parameters.phone, count: 8)
    var isGood = true
    for nine in [false, true] {
      let double = measure(streams: 1) {
        var filter = OrientationFusion.OrientationFilter(parameters: .phone, usesMagnetometer: nine)
        for number in 0..<passes {
          for row in single {
            let time = row.time + Int64(number) * pass
            filter.update(angularVelocity: row.rate, atNanoseconds: time)
            filter.update(specificForce: row.force, atNanoseconds: time)
            if nine { filter.update(magneticField: row.field, hardIronDeviation: 0, atNanoseconds: time) }
          }
        }
        return filter.attitude?.w ?? 0
      }
      let float = measure(streams: 1) {
        var filter = OrientationFusionFloat.OrientationFilter(parameters: .phone, usesMagnetometer: nine)
        for number in 0..<passes {
          for row in single {
            let time = row.time + Int64(number) * pass
            filter.update(angularVelocity: row.rate, atNanoseconds: time)
            filter.update(specificForce: row.force, atNanoseconds: time)
            if nine { filter.update(magneticField: row.field, hardIronDeviation: 0, atNanoseconds: time) }
          }
        }
        return filter.attitude?.w ?? 0
      }
      let doubles = measure(streams: 8) {
        var lanes = OrientationFusionLanes.OrientationFilterLanes(parameters: parameters, usesMagnetometer: nine)
        for number in 0..<passes * rowsPerPass {
          let row = rows[number % rowsPerPass]
          let time = SIMD8(repeating: row.time + Int64(number / rowsPerPass) * pass)
          lanes.update(angularVelocity: row.rate.x, row.rate.y, row.rate.z, atNanoseconds: time, in: .all)
          lanes.update(specificForce: row.force.x, row.force.y, row.force.z, atNanoseconds: time, in: .all)
          guard nine else { continue }
          lanes.update(
            magneticField: row.field.x, row.field.y, row.field.z, hardIronDeviation: .zero, atNanoseconds: time,
            in: .all)
        }
        return lanes.reading(lane: 0).attitude?.w ?? 0
      }
      let floats = measure(streams: 16) {
        var lanes = OrientationFusionFloatLanes.OrientationFilterLanes(
          parameters: parameters + parameters, usesMagnetometer: nine)
        for number in 0..<passes * rowsPerPass {
          let row = short[number % rowsPerPass]
          let time = SIMD16(repeating: row.time + Int64(number / rowsPerPass) * pass)
          lanes.update(angularVelocity: row.rate.x, row.rate.y, row.rate.z, atNanoseconds: time, in: .all)
          lanes.update(specificForce: row.force.x, row.force.y, row.force.z, atNanoseconds: time, in: .all)
          guard nine else { continue }
          lanes.update(
            magneticField: row.field.x, row.field.y, row.field.z, hardIronDeviation: .zero, atNanoseconds: time,
            in: .all)
        }
        return lanes.reading(lane: 0).attitude?.w ?? 0
      }
      let axes = nine ? "9D" : "6D"
      for (name, one, lanes, many) in [("Double", double, "eight", doubles), ("Float", float, "sixteen", floats)] {
        print(
          "filter   \(axes), \(name.padding(toLength: 6, withPad: " ", startingAt: 0))  one stream \(text(one.nanoseconds)) ns, \(lanes) \(text(many.nanoseconds)) ns an update and stream: \(String(format: "%.2f", one.nanoseconds / many.nanoseconds)) times the throughput; allocations \(one.allocations) and \(many.allocations) in \(count) updates"
        )
        // The array of parameters and such belong to the beginning.
        if one.allocations > 0 || many.allocations > 800 {
          print("filter   FAILED: an update must not allocate")
          isGood = false
        }
      }
    }
    return isGood
  }

  private static func text(_ nanoseconds: Double) -> String { String(format: "%.1f", nanoseconds) }

  /// The best of five runs: the time of one update of one stream, and the allocations of a run.
  private static func measure(streams: Int, _ body: () -> Double) -> (nanoseconds: Double, allocations: Int) {
    var best = Double.infinity
    var allocations = 0
    for _ in 0..<5 {
      let (begin, before) = (Meter.threadCPU(), Meter.allocations() ?? 0)
      let value = body()
      let time = Double(Meter.threadCPU() - begin) / Double(count * streams)
      allocations = (Meter.allocations() ?? 0) - before
      if value.isNaN { return (.nan, 0) }
      best = min(best, time)
    }
    return (best, allocations)
  }
}
