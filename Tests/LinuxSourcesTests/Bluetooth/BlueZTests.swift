// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing
import TestSupport
import Testing

@testable import HeadphoneSources

/// What `busctl` prints of a Bluetooth service with one adapter, AirPods that are connected, and other headphones that
/// are not.
private let answer = #"""
  {"type":"a{oa{sa{sv}}}","data":[{"/org/bluez":{"org.bluez.AgentManager1":{}},"/org/bluez/hci0":{"org.bluez.Adapter1":
  {"Address":{"type":"s","data":"00:11:22:33:44:55"},"Powered":{"type":"b","data":true},
  "Class":{"type":"u","data":7077888},"Roles":{"type":"as","data":["central"]}}},
  "/org/bluez/hci0/dev_02_00_00_00_00_02":{"org.bluez.Device1":{"Address":{"type":"s","data":"02:00:00:00:00:02"},
  "Name":{"type":"s","data":"LE_WH-1000XM5"},"Paired":{"type":"b","data":true},"Connected":{"type":"b","data":false}}},
  "/org/bluez/hci0/dev_02_00_00_00_00_01":{"org.bluez.Device1":{"Address":{"type":"s","data":"02:00:00:00:00:01"},
  "Alias":{"type":"s","data":"Büds"},"Bonded":{"type":"b","data":true},"Connected":{"type":"b","data":true},
  "ManufacturerData":{"type":"a{qv}","data":{"76":{"type":"ay","data":[1,2]}}},"RSSI":{"type":"n","data":-40},
  "Modalias":{"type":"s","data":"bluetooth:v004Cp2014dB052"},"UUIDs":{"type":"as","data":
  ["0000110b-0000-1000-8000-00805f9b34fb","74EC2172-0BAD-4D01-8F77-997B2BE0722A"]}},
  "org.bluez.Battery1":{"Percentage":{"type":"y","data":80}}}}]}
  """#

/// What BlueZ's objects say of adapters and devices.
@Suite struct BlueZTests {
  private func inventory(_ text: String) throws -> BlueZ.Inventory {
    try BlueZ(command: ["printf", "%s", text]).inventory()
  }

  @Test func adaptersAndDevicesAreReadFromTheirProperties() throws {
    let found = try inventory(answer)
    #expect(found.isPowered && found.devices.count == 2)
    let buds = try #require(found.devices.first)
    #expect(buds.address == "02:00:00:00:00:01" && buds.name == "Büds" && buds.isConnected && buds.isPaired)
    #expect(buds.offersAccessoryProtocol && buds.model?.name == "AirPods Pro 2" && buds.batteryPercent == 80)
    // An old service does not say whether a device is bonded, and this device does not say what it is.
    let headset = found.devices[1]
    #expect(headset.isPaired && !headset.isConnected && !headset.offersAccessoryProtocol)
    #expect(headset.batteryPercent == nil && headset.model?.tracking == .headTracker)
    #expect(try inventory(#"{"type":"a{oa{sa{sv}}}","data":[{}]}"#) == BlueZ.Inventory())
  }

  @Test func propertiesOfOtherTypesAreNotUsed() throws {
    let found = try inventory(
      #"""
      {"data":[{"/a":{"org.bluez.Device1":{"Address":{"data":"02:00:00:00:00:03"},"Alias":{"data":1},"Connected":
      {"data":"yes"},"UUIDs":{"data":"x"},"Modalias":{"data":"bluetooth:v004C"}},"org.bluez.Battery1":{"Percentage":
      {"data":101}}},"/b":{"org.bluez.Device1":{"Alias":{"data":"no address"}}}}]}
      """#)
    #expect(!found.isPowered && found.devices == [BluetoothDevice(address: "02:00:00:00:00:03")])
  }

  /// What `busctl` says on standard error.
  @Test(arguments: [
    (
      "Call failed: The name org.bluez was not provided by any .service files", SensorError.Code.notFound,
      "systemctl start bluetooth"
    ), ("Call failed: Access denied", .notPermitted, "group bluetooth"),
    ("Failed to connect to bus: No such file or directory", .notFound, "mount the socket"),
  ]) func aRefusalSaysWhatToDo(words: String, code: SensorError.Code, advice: String) {
    let error = #expect(throws: SensorError.self) {
      try BlueZ(command: ["sh", "-c", "echo '\(words)' >&2; exit 1"]).inventory()
    }
    #expect(error?.code == code && error?.message.contains(words) == true && error?.message.contains(advice) == true)
  }

  @Test func whatDoesNotAnswerIsNotWaitedFor() throws {
    let late = #expect(throws: SensorError.self) { try BlueZ(command: ["sleep", "300"], limit: 0.05).inventory() }
    #expect(late?.code == .system && late?.message.contains("in time") == true)
    let missing = #expect(throws: SensorError.self) { try BlueZ(command: ["no-such-program"]).inventory() }
    #expect(missing?.code == .notFound && missing?.message.contains("airpods:AA:BB:CC:DD:EE:FF") == true)
    let strange = #expect(throws: SensorError.self) { try inventory("Hello") }
    #expect(strange?.code == .malformed)
  }

  /// In a process of its own, because the environment belongs to the whole process.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/busctl"), "needs busctl"))
  func withoutABusTheSentenceSaysSo() async {
    await #expect(processExitsWith: .success) {
      setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nowhere", 1)
      let error = #expect(throws: SensorError.self) { try BlueZ().inventory() }
      #expect(error?.code == .notFound && error?.message.contains("system's message bus") == true)
    }
  }

  @Test func anAdapterIsSeenWithoutTheService() throws {
    let root = try TemporaryFolder()
    try root.makeFolder("sys/class/bluetooth/hci0:11")
    #expect(!BlueZ(root: root.path).isAdapterPresent)
    try root.makeFolder("sys/class/bluetooth/hci0")
    #expect(BlueZ(root: root.path).isAdapterPresent)
  }

  @Test func modelsWithoutAMotionSensorAreKnownAsSuch() {
    func model(_ product: String) -> HeadphoneModel? { .model(modalias: "bluetooth:v004Cp\(product)d0001") }
    #expect(model("2002")?.hasMotionSensor == false && model("2013")?.hasMotionSensor == true)
    #expect(model("FFFF") == nil && HeadphoneModel.model(modalias: "usb:v004Cp2014d0001") == nil)
    #expect(HeadphoneModel.model(modalias: "bluetooth:v054Cp2014d0001") == nil)
    #expect(HeadphoneModel.model(name: "WH-1000XM4")?.hasMotionSensor == false)
    #expect(HeadphoneModel.model(name: "Somebody's AirPods Pro 2") == nil)
    #expect(HeadphoneModel.model(number: "A2699")?.name == "AirPods Pro 2")
    let numbers = HeadphoneModel.all.flatMap { [$0.product.map(String.init)].compactMap(\.self) + $0.numbers }
    #expect(Set(numbers).count == numbers.count)
  }
}
