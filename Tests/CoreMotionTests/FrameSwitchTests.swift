// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionSensing
import MotionTesting
import SimulatedSources
import Testing

@Suite struct FrameSwitchTests {
  /// S26, S28, S35: after a switch the property never shows a sample of the old frame.
  @Test func theLatestSampleIsForgottenWhenTheFrameChanges() async {
    let clock = VirtualClock()
    let host = MotionHost(device: SimulatedSource(trajectory: Rest(), name: "rest"), clock: clock)
    let manager = host.run { CMMotionManager() }
    manager.startDeviceMotionUpdates(using: .xArbitraryZVertical)
    await clock.advance(by: .seconds(1))
    #expect(manager.deviceMotion?.heading == -1)
    manager.startDeviceMotionUpdates(using: .xMagneticNorthZVertical)
    #expect(manager.deviceMotion == nil && manager.isDeviceMotionActive)
    await clock.advance(by: .seconds(1))
    #expect((0..<360).contains(manager.deviceMotion?.heading ?? -1))
    // True north is unknown: that start does not count, and the one before goes on.
    manager.startDeviceMotionUpdates(using: .xTrueNorthZVertical)
    #expect(manager.attitudeReferenceFrame == .xMagneticNorthZVertical && manager.deviceMotion != nil)
    host.location = GeographicLocation(latitudeDegrees: 48.1, longitudeDegrees: 11.6, year: 2026)
    manager.startDeviceMotionUpdates(using: .xTrueNorthZVertical)
    #expect(manager.deviceMotion == nil && manager.isDeviceMotionActive)
    await clock.advance(by: .seconds(1))
    #expect((0..<360).contains(manager.deviceMotion?.heading ?? -1))
  }

  /// D5: in the same frame a second start loses nothing.
  @Test func theLatestSampleStaysInTheSameFrame() async {
    let clock = VirtualClock()
    let host = MotionHost(device: SimulatedSource(trajectory: Rest(), name: "rest"), clock: clock)
    let manager = host.run { CMMotionManager() }
    manager.startDeviceMotionUpdates()
    await clock.advance(by: .seconds(1))
    manager.startDeviceMotionUpdates()
    #expect(manager.deviceMotion != nil)
  }
}
