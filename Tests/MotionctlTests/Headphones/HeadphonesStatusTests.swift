// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSources
import MotionSensing
import Testing

@testable import HeadphoneSources
@testable import MotionTools

/// `motionctl headphones` without `--to`: what is said of paired devices, and the exit codes.
struct HeadphonesStatusTests {
  private func device(
    _ name: String, product: String? = nil, isConnected: Bool = true, isPaired: Bool = true
  ) -> BluetoothDevice {
    var device = BluetoothDevice(address: "AA:BB:CC:DD:EE:FF", name: name)
    (device.isPaired, device.isConnected) = (isPaired, isConnected)
    device.model = product.flatMap { .model(modalias: "bluetooth:v004Cp\($0)d0001") } ?? .model(name: name)
    return device
  }

  private func survey(
    _ device: BluetoothDevice, isOn: Bool = true, answer: HeadphoneFinding = .init(name: "", canTrack: true)
  ) -> (HeadphoneSurvey, asked: [String]) {
    var asked: [String] = []
    let survey = HeadphoneSurvey.of(.init(isPowered: isOn, devices: [device])) { address in
      asked.append(address)
      return answer
    }
    return (survey, asked)
  }

  @Test func aModelWithoutASensorSaysSoAndIsNotAsked() {
    let (survey, asked) = survey(device("My AirPods", product: "200F"))
    #expect(asked.isEmpty && survey.verdict == .cannotTrackNow)
    #expect(survey.headphones.first?.reason == "This model has no motion sensor.")
    #expect(survey.headphones.first?.model == "AirPods 2")
  }

  @Test func whatIsNotConnectedSaysWhatToDo() {
    let (away, asked) = survey(device("Buds", product: "2014", isConnected: false))
    #expect(asked.isEmpty && away.headphones.first?.reason?.contains("bluetoothctl connect") == true)
    let (off, _) = survey(device("Buds", product: "2014"), isOn: false)
    #expect(off.notice?.contains("power on") == true && off.verdict == .cannotTrackNow)
    let (stranger, _) = survey(device("Buds", product: "2014", isPaired: false))
    #expect(stranger.headphones.isEmpty && stranger.verdict == .none)
    let (keyboard, _) = survey(device("Keyboard"))
    #expect(keyboard.headphones.isEmpty)
  }

  @Test func theOthersAreAskedByTheirProtocol() {
    let (buds, asked) = survey(device("Buds", product: "2014"))
    #expect(asked == ["airpods:AA:BB:CC:DD:EE:FF"] && buds.verdict == .canTrack)
    #expect(buds.headphones.first?.protocolName == "AAP over L2CAP")
    #expect(survey(device("WH-1000XM5")).asked == ["headtracker:"])
    let refused = HeadphoneFinding(name: "", canTrack: false, reason: "Another phone owns them.")
    #expect(survey(device("Buds", product: "2014"), answer: refused).0.verdict == .cannotTrackNow)
  }

  /// The output can be posted in an issue without the address.
  @Test func addressesAreNotShown() throws {
    let answer = HeadphoneFinding(name: "", source: "airpods:AA:BB:CC:DD:EE:FF", canTrack: true)
    let (survey, _) = survey(device("Buds", product: "2014"), answer: answer)
    #expect(!survey.lines.joined().contains("AA:BB") && survey.lines.last == "  MOTION_HEADPHONES=airpods:")
    #expect(!String(decoding: try JSONEncoder().encode(survey), as: UTF8.self).contains("AA:BB"))
  }

  /// What headphones have said becomes lines for a person.
  @Test func whatHeadphonesSayIsShown() {
    var status = HeadphoneStatus(protocolName: "AAP over L2CAP")
    (status.name, status.model, status.firmware) = ("Buds", "AirPods Pro 2", "7A305")
    status.batteries = [.init(part: .left, percent: 80), .init(part: .right, percent: 79, isCharging: true)]
    (status.wear, status.primarySide, status.detectsWearing) = (.init(.inEar, .inCase), .headphoneRight, true)
    status.calibration = .user
    var finding = HeadphoneFinding(name: "x", canTrack: true)
    finding.update(from: status)
    #expect(
      finding.lines == [
        "Buds (AirPods Pro 2): can follow the head, AAP over L2CAP",
        "  left battery 80 % · right battery 79 %, charging · left bud in case · right bud in ear · ear detection on"
          + " · calibration user · firmware 7A305",
      ])
  }

  @Test func theExitCodeTellsWhetherAHeadCanBeFollowed() throws {
    let can = try MotionctlProcess.run("headphones", "simulate:headphones?speed=max")
    #expect(can.code == 0 && can.text.contains("can follow the head") && can.text.contains("a simulation"))
    let cannot = try MotionctlProcess.run(
      "headphones", "--json",
      environment: ["MOTION_HEADPHONES": "simulate:headphones?connected=no"])
    #expect(cannot.code == 2)
    let report = try #require(try JSONSerialization.jsonObject(with: cannot.output) as? [String: Any])
    let finding = try #require((report["headphones"] as? [[String: Any]])?.first)
    #expect(finding["canTrack"] as? Bool == false && finding["reason"] as? String != nil)
    #expect(try MotionctlProcess.run("headphones", "simulate:nothing").code == 1)
  }
}
