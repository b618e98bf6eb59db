// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import Testing

@testable import HeadphoneSources

/// The objects of a Bluetooth service with one adapter, AirPods that are connected, and other headphones that are not.
let fakeObjects: [String: BusObject] = [
  "/org/bluez": ["org.bluez.AgentManager1": [:]],
  "/org/bluez/hci0": [
    "org.bluez.Adapter1": ["Address": .text("00:11:22:33:44:55"), "Alias": .text("desk"), "Powered": .boolean(true)]
  ],
  "/org/bluez/hci0/dev_02_00_00_00_00_01": [
    "org.bluez.Device1": [
      "Address": .text("02:00:00:00:00:01"), "Alias": .text("Buds"), "Paired": .boolean(true),
      "Bonded": .boolean(true), "Connected": .boolean(true), "Modalias": .text("bluetooth:v004Cp2014dB052"),
      "UUIDs": .texts(["0000110b-0000-1000-8000-00805f9b34fb", "74EC2172-0BAD-4D01-8F77-997B2BE0722A"]),
    ],
    "org.bluez.Battery1": ["Percentage": .byte(80)],
  ],
  "/org/bluez/hci0/dev_02_00_00_00_00_02": [
    "org.bluez.Device1": [
      "Address": .text("02:00:00:00:00:02"), "Name": .text("LE_WH-1000XM5"), "Paired": .boolean(true),
    ]
  ],
]

/// Answers with objects, or an error.
private struct FakeBus: ObjectManager {
  var objects: [String: BusObject] = [:]
  var error: SensorError?

  func managedObjects(of service: String, limit: SensorDuration) throws(SensorError) -> [String: BusObject] {
    #expect(service == "org.bluez")
    if let error { throw error }
    return objects
  }
}

/// What BlueZ's objects say of adapters and devices.
@Suite struct BlueZTests {
  @Test func adaptersAndDevicesAreReadFromTheirProperties() throws {
    let found = try BlueZ(bus: FakeBus(objects: fakeObjects)).inventory()
    #expect(found.isPowered && found.devices.count == 2)
    let buds = try #require(found.devices.first)
    #expect(buds.address == "02:00:00:00:00:01" && buds.name == "Buds" && buds.isConnected && buds.isBonded)
    #expect(buds.vendor == 0x004C && buds.product == 0x2014 && buds.isBluetoothVendor && buds.batteryPercent == 80)
    #expect(buds.offersAccessoryProtocol && buds.model?.name == "AirPods Pro 2")
    // An old service does not say whether a device is bonded, and this device does not say what it is.
    let headset = found.devices[1]
    #expect(headset.isBonded && !headset.isConnected && headset.vendor == nil && headset.batteryPercent == nil)
    #expect(headset.model?.tracking == .headTracker)
  }

  @Test func propertiesOfOtherTypesAreNotUsed() throws {
    let device: BusObject = [
      "org.bluez.Device1": [
        "Address": .text("02:00:00:00:00:03"), "Alias": .byte(1), "Connected": .text("yes"), "UUIDs": .text("x"),
        "Modalias": .text("bluetooth:v004C"),
      ],
      "org.bluez.Battery1": ["Percentage": .byte(101)],
    ]
    let bus = FakeBus(objects: [
      "/a": device, "/b": ["org.bluez.Device1": ["Alias": .text("no address")]],
      "/c": ["org.bluez.Adapter1": ["Powered": .boolean(true)]],
    ])
    let found = try BlueZ(bus: bus).inventory()
    #expect(!found.isPowered && found.devices == [BluetoothDevice(address: "02:00:00:00:00:03")])
  }

  @Test(arguments: [
    ("org.freedesktop.DBus.Error.ServiceUnknown", SensorError.Code.notFound, "systemctl start bluetooth"),
    ("org.freedesktop.DBus.Error.AccessDenied", .notPermitted, "group bluetooth"),
    ("org.bluez.Error.Failed", .system, "bluetoothd has failed"),
  ]) func aRefusalSaysWhatToDo(error: (name: String, code: SensorError.Code, words: String)) {
    let refused = BusProblem.refused(error.name, "bluetoothd has failed.", at: "bus")
    let thrown = #expect(throws: SensorError.self) { try BlueZ(bus: FakeBus(error: refused)).inventory() }
    #expect(thrown?.code == error.code && thrown?.message.contains(error.words) == true)
  }

  @Test func anAdapterIsSeenWithoutTheService() throws {
    let root = try TemporaryFolder()
    try root.makeFolder("sys/class/bluetooth/hci0:11")
    #expect(!BlueZ(root: root.path).isAdapterPresent)
    try root.makeFolder("sys/class/bluetooth/hci0")
    #expect(BlueZ(root: root.path).isAdapterPresent)
  }

  @Test func modelsWithoutAMotionSensorAreKnownAsSuch() {
    func model(_ product: UInt16) -> HeadphoneModel? { .model(vendor: HeadphoneModel.apple, product: product) }
    #expect(model(0x2002)?.hasMotionSensor == false && model(0x2013)?.hasMotionSensor == true)
    #expect(model(0xFFFF) == nil && HeadphoneModel.model(vendor: 0x054C, product: 0x2014) == nil)
    #expect(HeadphoneModel.model(name: "WH-1000XM4")?.hasMotionSensor == false)
    #expect(HeadphoneModel.model(name: "Somebody's AirPods Pro 2") == nil)
    let numbers = HeadphoneModel.accessories.compactMap(\.product)
    #expect(Set(numbers).count == numbers.count)
  }
}
