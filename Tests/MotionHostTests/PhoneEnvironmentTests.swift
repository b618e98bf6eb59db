// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import Testing

@testable import MotionHost

/// `phone:` in the variables of a program.
struct PhoneEnvironmentTests {
  @Test func theVariableSaysWhichDeviceIsMeant() throws {
    let environment = HostEnvironment(["MOTION_SOURCE": "phone:", "MOTION_HEADPHONES": "phone:sensorlogger"])
    let device = try #require(try environment.device())
    let headphones = try #require(try environment.headphones())
    #expect(device.source.info.deviceClass == .phone && device.source.info.kinds.isSuperset(of: .inertial))
    #expect(headphones.source.info.deviceClass == .headphones)
    #expect(headphones.source.info.kinds == [.motion, .connection])
    let watch = HostEnvironment(["MOTION_SOURCE": "phone:?device=watch"])
    #expect(try watch.device()?.source.info.deviceClass == .watch)
    #expect(
      try HostEnvironment(["MOTION_HEADPHONES": "phone:?device=phone"]).headphones()?.source.info.deviceClass == .phone)
  }

  @Test(arguments: [
    "phone:browser", "phone:sensorlogger?port=0&platform=android&standardised=no&token=abcdefgh",
  ])
  func everyWayToAPhoneIsOpenedWithoutASocket(address: String) throws {
    let info = try SourceCatalog().open(try SourceURI(address)).source.info
    #expect(info.origin == .hardware && info.pacing == .live && info.kinds.isSuperset(of: .inertial))
  }
}
