// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import Testing

@testable import HeadphoneSources

@Suite struct AirPodsSearchTests {
  private func device(_ address: String, product: UInt16?, isConnected: Bool = true) -> BluetoothDevice {
    var device = BluetoothDevice(address: address, name: "Buds")
    (device.vendor, device.product) = (HeadphoneModel.apple, product)
    (device.isBluetoothVendor, device.isPaired, device.isConnected) = (true, true, isConnected)
    device.services = [BluetoothDevice.accessoryProtocolService]
    return device
  }

  @Test func theConnectedPairWithASensorIsTaken() throws {
    let inventory = BlueZ.Inventory(
      isPowered: true,
      devices: [
        device("00:00:5E:00:53:01", product: 0x200F), device("00:00:5E:00:53:02", product: 0x2014, isConnected: false),
        device("00:00:5E:00:53:03", product: 0x2027),
      ])
    #expect(try L2CAPConnector.headphones(of: inventory) == "00:00:5E:00:53:03")
  }

  @Test func whatIsMissingIsToldAndLookedForAgain() {
    for (isPowered, devices, word) in [
      (true, [device("00:00:5E:00:53:01", product: 0x200F)], "no readable motion sensor"),
      (true, [device("00:00:5E:00:53:01", product: 0x2014, isConnected: false)], "bluetoothctl connect"),
      (true, [], "pair"), (false, [], "power on"),
    ] as [(Bool, [BluetoothDevice], String)] {
      do throws(SensorError) {
        _ = try L2CAPConnector.headphones(of: BlueZ.Inventory(isPowered: isPowered, devices: devices))
        Issue.record("nothing was thrown where “\(word)” was expected")
      } catch {
        #expect(error.code == .notFound)
        #expect(error.message.contains(word))
      }
    }
  }
}
