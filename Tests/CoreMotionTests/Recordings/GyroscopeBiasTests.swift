// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionSensing
import MotionServices
import SimulatedSources
import Testing

@Suite struct GyroscopeBiasTests {
  /// The second is the bias of a real iPhone 5: 6.3 °/s.
  @Test(arguments: [0.05, 0.11], ["ideal", "phone"])
  func aBiasIsGoneAfterFiveSecondsAtRest(bias: Double, errors: String) async throws {
    let source = try SimulatedSource(
      scenario: "rest",
      options: ["bias": "\(bias):\(-bias):\(bias)", "errors": errors, "duration": "7", "magnetometer": "no"])
    let host = MotionHost(device: source, clock: FreeRunningClock(), gate: .manual)
    let run = try await RecordedRun.collect(host)
    let rest = run.motions.filter { $0.timestamp >= 5 }
    #expect(rest.count > 150)
    for axis in 0..<3 {
      // The mean over two seconds is what is left of the bias; the sensor's noise is not.
      let left = rest.map { $0.rotationRate[axis] }.reduce(0, +) / Double(rest.count)
      #expect(abs(left) * 180 / .pi < 0.1, "axis \(axis): \(left * 180 / .pi) °/s left")
    }
  }
}
