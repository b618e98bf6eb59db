// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import LinuxSources
import MotionHost
import MotionSensing
import SimulatedSources
import Testing

/// What the host passes on of headphones.
@Suite(.timeLimit(.minutes(10))) struct HeadphoneStatusTests {
  private struct TalkingHeadphones: SensorSource, HeadphoneReporting {
    let info = SimulatedHeadphones().info
    var status: HeadphoneStatus {
      var status = HeadphoneStatus(protocolName: "a test")
      status.calibration = .user
      return status
    }
    func run(_ session: SensorSession) throws {}
  }

  @Test func headphonesThatReportAreHeard() {
    let host = MotionHost(headphones: TalkingHeadphones())
    #expect(host.headphoneStatus?.calibration == .user && host.headphoneStatus?.protocolName == "a test")
  }

  @Test func othersSayNothing() {
    #expect(MotionHost(headphones: SimulatedHeadphones()).headphoneStatus == nil)
    #expect(MotionHost().headphoneStatus == nil)
  }
}
