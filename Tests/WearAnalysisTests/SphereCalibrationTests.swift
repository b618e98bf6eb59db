// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import Testing
import WearAnalysis

@Suite("Calibration on the sphere") struct SphereCalibrationTests {
  /// Ten seconds in each of so many orientations, as a device with this offset and scale measures them.
  private func calibrate(
    orientations: Int, offset: SIMD3<Double>, scale: SIMD3<Double>, halfOnly: Bool = false,
    noise amplitude: Double = 0.004
  ) -> SphereCalibration {
    var noise = Noise()
    var calibrator = SphereCalibrator()
    for index in 0..<orientations {
      var up = noise.vector()
      if halfOnly { up.z = abs(up.z) + 0.5 }
      up /= (up * up).sum().squareRoot()
      for sample in 0..<500 {
        let measured = (up - offset) / scale + amplitude * noise.vector()
        calibrator.update(measured * standardGravity, at: Int64(index) * 10_000_000_000 + Int64(sample) * 20_000_000)
      }
    }
    return calibrator.calibration()
  }

  @Test("A known offset and scale are found again, to a milligravity") func recovers() throws {
    let (offset, scale) = (SIMD3(0.03, -0.05, 0.02), SIMD3(1.02, 0.97, 1.01))
    let found = calibrate(orientations: 200, offset: offset, scale: scale)
    #expect(found.outcome == .calibrated && found.windows == 200)
    for axis in 0..<3 {
      #expect(abs(found.offset[axis] - offset[axis]) < 0.001)
      #expect(abs(found.scale[axis] - scale[axis]) < 0.001)
    }
    #expect(try #require(found.errorBefore) > 0.02)
    #expect(try #require(found.errorAfter) < 0.001)
  }

  @Test("Too few windows, or too few orientations, leave the acceleration as it is, with the reason") func refuses() {
    let (offset, scale) = (SIMD3(0.03, -0.05, 0.02), SIMD3(repeating: 1.0))
    for (found, reason) in [
      (calibrate(orientations: 9, offset: offset, scale: scale), SphereCalibration.Outcome.tooFewWindows),
      (calibrate(orientations: 100, offset: offset, scale: scale, halfOnly: true), .tooLittleSpread),
      (calibrate(orientations: 100, offset: offset, scale: scale, noise: 0.1), .tooFewWindows),
    ] {
      #expect(found.outcome == reason)
      #expect(found.offset == .zero && found.scale == SIMD3(repeating: 1))
    }
  }

  @Test("A week's windows and more keep the memory and the result") func many() {
    var calibrator = SphereCalibrator()
    var noise = Noise()
    for index in 0..<150_000 {
      var up = noise.vector()
      up /= (up * up).sum().squareRoot()
      for sample in 0..<50 {
        calibrator.update((up + SIMD3(0.02, 0, 0)) * standardGravity, at: Int64(index) * 10_000_000_000 + Int64(sample))
      }
    }
    let found = calibrator.calibration()
    #expect(found.windows == 150_000 && abs(found.offset.x + 0.02) < 1e-6 && found.outcome == .calibrated)
  }
}
