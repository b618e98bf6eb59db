// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import SimulatedSources
import Testing

@testable import MotionAnalysis
@testable import MotionServices

/// A magnetometer's iron from all directions.
@Suite struct MagnetometerSurveyTests {
  private func survey(_ samples: [SensorSample]) -> MagnetometerSurvey {
    var survey = MagnetometerSurvey()
    for sample in samples.magnetometer { survey.update(sample) }
    return survey
  }

  @Test func strongHardAndSoftIronOfATumblingDeviceIsFound() throws {
    var errors = DeviceErrorModel.ideal
    errors.magnetometer.hardIron = Vector3(x: 200e-6, y: -80e-6, z: 30e-6)
    errors.magnetometer.softIron = Matrix3(1.15, 0.03, 0, 0.03, 0.85, -0.02, 0, -0.02, 1.02)
    errors.magnetometer.sensor.noiseDensity = 0.1e-6
    let survey = survey(try samples(Tumble(), seconds: 60, errors: errors))
    let result = try #require(survey.result)
    #expect(survey.isComplete)
    #expect(survey.coverage > 0.85)
    #expect((result.hardIron - errors.magnetometer.hardIron).length < 1e-6)
    #expect(result.residual < 0.02 && result.residualBefore > 0.1 && abs(result.softIron.determinant - 1) < 1e-9)
    // The product of iron and correction is a multiple of the identity.
    let product = result.softIron * errors.magnetometer.softIron
    let scale = product.trace / 3
    for each in [product.m11 - scale, product.m22 - scale, product.m33 - scale, product.m12, product.m13, product.m23] {
      #expect(abs(each) < 0.01)
    }
  }

  @Test func aHandThatTurnsTooLittleIsToldSo() throws {
    var errors = DeviceErrorModel.phone
    errors.magnetometer.hardIron = Vector3(x: 40e-6, y: 0, z: 0)
    let little = survey(try samples(Handheld(), seconds: 60, errors: errors))
    #expect(!little.isComplete && little.shortcoming == .directions)
    #expect(survey(try samples(Rest(), seconds: 10, errors: errors)).result == nil)
    // About one axis the readings lie in a plane.
    let flat = survey(try samples(Spin(axis: Vector3(x: 0, y: 0, z: 1), rate: 1), seconds: 30, errors: errors))
    #expect(!flat.isComplete)
  }

  @Test func aFieldThatIsNotTheEarthsOrChangesIsRefused() {
    func shortcoming(_ field: (Int, Vector3<Device>) -> Vector3<Device>) -> MagnetometerSurvey.Shortcoming? {
      var survey = MagnetometerSurvey()
      for (index, direction) in directions(400).enumerated() {
        survey.update(
          MagnetometerSample(time: .milliseconds(Int64(index * 20)), magneticField: field(index, direction)))
      }
      return survey.shortcoming
    }
    #expect(shortcoming { $1 * 50e-6 } == nil)
    if case .strength(let strength) = shortcoming({ $1 * 150e-6 }) {
      #expect(abs(strength - 150e-6) < 1e-6)
    } else {
      Issue.record("a field of 150 µT was taken for the earth's")
    }
    let uneven = shortcoming { $1 * (50e-6 * (1 + 0.15 * Scalar.sin(Double($0) * 2.3))) }
    if case .uneven = uneven {} else { Issue.record("\(String(describing: uneven))") }
    let stretched = shortcoming { Vector3(x: $1.x * 90e-6, y: $1.y * 30e-6, z: $1.z * 40e-6) }
    if case .stretched(let ratio) = stretched {
      #expect(abs(ratio - 3) < 0.01)
    } else {
      Issue.record("\(String(describing: stretched))")
    }
  }

  @Test func cellsAreHitEvenlyAndReadingsThatAreNoNumbersAreLeftOut() {
    var counts = [Int](repeating: 0, count: MagnetometerSurvey.cellCount)
    for direction in directions(54_000) { counts[MagnetometerSurvey.cell(of: direction)] += 1 }
    #expect((counts.min() ?? 0) > 600 && (counts.max() ?? 0) < 1500)
    var survey = MagnetometerSurvey()
    survey.update(MagnetometerSample(time: .milliseconds(0), magneticField: Vector3(x: .nan, y: 0, z: 0)))
    #expect(survey.refusedCount == 1 && survey.readingCount == 0)
  }
}
