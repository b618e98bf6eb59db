// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// From the numbers of the converter to pascal and °C.
///
/// The chip measures a bridge that depends on pressure and temperature, and a temperature; six factory coefficients take one out of
/// the other. A first order serves near 20 °C, a second one corrects it in the cold (30BA: in the warm, too). Source: `spec/water.md` 5,
/// which has the formulas of both data sheets; the names are theirs. The arithmetic is in floating point, so that steps finer than the
/// data sheets' whole 0.1 mbar are not cut off.
struct MS5837Compensation: Sendable, Hashable {
  let model: MS5837Model
  let memory: MS5837Memory

  /// A reading in SI.
  struct Reading: Sendable, Hashable {
    /// Pascal, absolute.
    var pressure: Double
    /// °C.
    var temperature: Double
  }

  /// - Parameters:
  ///   - d1: the converted pressure, 24 bits.
  ///   - d2: the converted temperature, 24 bits.
  func callAsFunction(d1: UInt32, d2: UInt32) -> Reading {
    let difference = Double(d2) - memory.coefficient(5) * 256
    // 0.01 °C.
    let first = 2000 + difference * memory.coefficient(6) / 0x1p23
    let second = secondOrder(first, difference)
    // 0.1 mbar, or 0.01 mbar.
    let (scale, unit) = model == .thirtyBar ? (0x1p13, 10.0) : (0x1p15, 1.0)
    let (offset, sensitivity) = firstOrder(difference)
    let pressure =
      (Double(d1) * (sensitivity - second.sensitivity) / 0x1p21 - (offset - second.offset)) / scale * unit
    return Reading(pressure: pressure, temperature: (first - second.temperature) / 100)
  }

  private func firstOrder(_ difference: Double) -> (offset: Double, sensitivity: Double) {
    let offset = memory.coefficient(4) * difference
    let sensitivity = memory.coefficient(3) * difference
    switch model {
    case .thirtyBar:
      return (memory.coefficient(2) * 0x1p16 + offset / 0x1p7, memory.coefficient(1) * 0x1p15 + sensitivity / 0x1p8)
    case .twoBar:
      return (memory.coefficient(2) * 0x1p17 + offset / 0x1p6, memory.coefficient(1) * 0x1p16 + sensitivity / 0x1p7)
    }
  }

  /// What the first order has too much.
  private func secondOrder(
    _ temperature: Double, _ difference: Double
  ) -> (temperature: Double, offset: Double, sensitivity: Double) {
    let squared = difference * difference
    let warm = (temperature - 2000) * (temperature - 2000)
    switch (model, temperature < 2000) {
    case (.thirtyBar, true):
      var (offset, sensitivity) = (3 * warm / 2, 5 * warm / 8)
      if temperature < -1500 {
        let cold = (temperature + 1500) * (temperature + 1500)
        offset += 7 * cold
        sensitivity += 4 * cold
      }
      return (3 * squared / 0x1p33, offset, sensitivity)
    case (.thirtyBar, false): return (2 * squared / 0x1p37, warm / 16, 0)
    case (.twoBar, true): return (11 * squared / 0x1p35, 31 * warm / 8, 63 * warm / 32)
    case (.twoBar, false): return (0, 0, 0)
    }
  }
}
