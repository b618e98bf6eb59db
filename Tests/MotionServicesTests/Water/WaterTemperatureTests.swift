// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionServices
import Testing

/// S86, D14, WATER-4: the uncertainty that a slow thermometer owes.
@Suite struct WaterTemperatureTests {
  /// The share of readings whose uncertainty covers the water, 3 a second for ten minutes after a step.
  private func coverage(
    from air: Double, to water: Double, timeConstant: Double, assumed: Double? = nil
  ) -> (share: Double, last: Double) {
    var parameters = WaterTemperatureEstimator.Parameters()
    parameters.timeConstant = assumed
    var estimator = WaterTemperatureEstimator(parameters: parameters)
    var (covered, told, last) = (0, 0, 0.0)
    for index in 0..<1800 {
      let seconds = Double(index) / 3
      let reading = water + (air - water) * Scalar.exp(-seconds / timeConstant) + 0.01 * Scalar.sin(Double(index) * 2.1)
      guard let uncertainty = estimator.update(reading, at: SensorInstant(nanoseconds: Int64(seconds * 1e9))) else {
        continue
      }
      (told, last) = (told + 1, uncertainty)
      if abs(reading - water) <= last { covered += 1 }
    }
    return (Double(covered) / Double(told), last)
  }

  @Test(arguments: [75.0, 90, 130, 234], [-10.0, 8, 25, 40])
  func theWaterIsWithinTheUncertaintyInAtLeast95Percent(timeConstant: Double, air: Double) {
    #expect(coverage(from: air, to: 12, timeConstant: timeConstant).share >= 0.95)
    #expect(coverage(from: air, to: 12, timeConstant: timeConstant, assumed: timeConstant).share >= 0.95)
  }

  @Test func aKnownThermometerInConstantWaterIsGoodToItsResidual() {
    let known = coverage(from: 12, to: 12, timeConstant: 90, assumed: 90)
    #expect(known.last >= 0.3 && known.last < 0.4)
  }

  @Test func inTheFirstHalfMinuteItIsNeverBetterThanOneAndAHalf() {
    var estimator = WaterTemperatureEstimator()
    for index in 0..<89 {
      let uncertainty = estimator.update(12, at: SensorInstant(nanoseconds: Int64(index) * 333_333_333))
      #expect(index < 2 ? uncertainty == nil : uncertainty ?? 0 >= 1.5)
    }
  }

  /// D14: a thermometer that may still be as warm as the air says nothing of the water.
  @Test func beforeThereIsASlopeNothingIsTold() {
    var estimator = WaterTemperatureEstimator()
    #expect(estimator.update(25, at: SensorInstant(nanoseconds: 0)) == nil)
  }
}
