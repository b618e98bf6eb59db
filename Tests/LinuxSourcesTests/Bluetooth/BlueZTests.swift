// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionSensing
import Testing

@testable import LinuxSources

/// The tree of objects that a test's Bluetooth service has.
private let tree: [(path: String, interface: String, properties: [(String, DBusValue)])] = [
  ("/org/bluez", "org.bluez.AgentManager1", []),
  (
    "/org/bluez/hci0", "org.bluez.Adapter1",
    [
      ("Address", .text("00:11:22:33:44:55")), ("Alias", .text("desk")), ("Powered", .boolean(true)),
      ("Class", .integer(9)),
    ]
  ),
  (
    "/org/bluez/hci0/dev_02_00_00_00_00_01", "org.bluez.Device1",
    [
      ("Address", .text("02:00:00:00:00:01")), ("Alias", .text("Buds")), ("Paired", .boolean(true)),
      ("Bonded", .boolean(true)), ("Connected", .boolean(true)), ("Modalias", .text("bluetooth:v004Cp2014dB052")),
      (
        "UUIDs", .array([.text("0000110b-0000-1000-8000-00805f9b34fb"), .text("74EC2172-0BAD-4D01-8F77-997B2BE0722A")])
      ),
    ]
  ),
  (
    "/org/bluez/hci0/dev_02_00_00_00_00_02", "org.bluez.Device1",
    [("Address", .text("02:00:00:00:00:02")), ("Name", .text("LE_WH-1000XM5")), ("Paired", .boolean(true))]
  ),
]

private func answer(isBigEndian: Bool) -> ScriptedBus.Answer {
  { _ in
    MessageWriter.message(to: 2, signature: "a{oa{sa{sv}}}", isBigEndian: isBigEndian) { writer in
      writer.array(of: 8) { writer in
        for object in tree {
          writer.align(8)
          writer.text(object.path)
          writer.array(of: 8) { writer in
            writer.align(8)
            writer.text(object.interface)
            writer.array(of: 8) { writer in
              for (name, value) in object.properties {
                writer.align(8)
                writer.text(name)
                writer.variant(value)
              }
            }
            guard object.path.hasSuffix("01") else { return }
            writer.align(8)
            writer.text("org.bluez.Battery1")
            writer.array(of: 8) { writer in
              writer.align(8)
              writer.text("Percentage")
              writer.variant(.byte(80))
            }
          }
        }
      }
    }
  }
}

/// Asking the Bluetooth service over a pair of sockets.
@Suite struct BlueZTests {
  private func inventory(
    login: String = "OK 1234\r\n", staysOpen: Bool = false, _ answers: [ScriptedBus.Answer]
  ) throws(SensorError) -> BlueZ.Inventory {
    let bus = ScriptedBus(login: login, staysOpen: staysOpen, answers: answers)
    let connection = try DBusConnection(descriptor: bus.client, name: "bus", limit: .seconds(5))
    return try BlueZ.inventory(connection, place: "bus")
  }

  @Test(arguments: [false, true]) func adaptersAndDevicesAreReadInBothOrdersOfBytes(isBigEndian: Bool) throws {
    let found = try inventory([MessageWriter.hello, answer(isBigEndian: isBigEndian)])
    #expect(
      found.adapters == [
        .init(path: "/org/bluez/hci0", address: "00:11:22:33:44:55", name: "desk", isPowered: true)
      ])
    #expect(found.devices.count == 2)
    let buds = try #require(found.devices.first)
    #expect(buds.address == "02:00:00:00:00:01" && buds.name == "Buds" && buds.isConnected && buds.isBonded)
    #expect(buds.vendor == 0x004C && buds.product == 0x2014 && buds.isBluetoothVendor && buds.batteryPercent == 80)
    #expect(buds.offersAccessoryProtocol && buds.model?.name == "AirPods Pro 2")
    // An old service says nothing of bonds, and a device nothing of its kind.
    let headset = found.devices[1]
    #expect(headset.isBonded && !headset.isConnected && headset.vendor == nil && headset.batteryPercent == nil)
    #expect(headset.model?.tracking == .headTracker(isProven: true))
  }

  /// Signals come between a call and its answer: the bus greets every newcomer with one.
  @Test func whatNobodyHasAskedForIsPassedOver() throws {
    let signal = MessageWriter.message(kind: 4, to: 2, signature: "s") { $0.text("NameAcquired") }
    let found = try inventory([MessageWriter.hello, { signal + answer(isBigEndian: false)($0) }])
    #expect(found.devices.count == 2)
  }

  @Test(arguments: [
    ("org.freedesktop.DBus.Error.ServiceUnknown", SensorError.Code.notFound, "systemctl start bluetooth"),
    ("org.freedesktop.DBus.Error.AccessDenied", .notPermitted, "group bluetooth"),
    ("org.bluez.Error.Failed", .system, "bluetoothd is tired"),
  ]) func aRefusalSaysWhatToDo(error: (name: String, code: SensorError.Code, words: String)) {
    let refusal: ScriptedBus.Answer = { _ in
      MessageWriter.message(kind: 3, to: 2, signature: "s", error: error.name) { $0.text("bluetoothd is tired.") }
    }
    let problem = #expect(throws: SensorError.self) { try inventory([MessageWriter.hello, refusal]) }
    #expect(problem?.code == error.code && problem?.message.contains(error.words) == true)
  }

  @Test func aBusThatDoesNotKnowUsOrHangsUpOrRavesIsAnError() {
    let strangers = #expect(throws: SensorError.self) { try inventory(login: "REJECTED EXTERNAL\r\n", []) }
    #expect(strangers?.code == .notPermitted)
    let gone = #expect(throws: SensorError.self) { try inventory([MessageWriter.hello]) }
    #expect(gone?.code == .disconnected)
    // A message of 4 GiB, announced.
    let hostile: ScriptedBus.Answer = { _ in
      [UInt8(ascii: "l"), 2, 0, 1] + [UInt8](repeating: 0xFF, count: 12)
    }
    let raving = #expect(throws: SensorError.self) { try inventory(staysOpen: true, [MessageWriter.hello, hostile]) }
    #expect(raving?.code == .malformed)
  }

  @Test func aBusThatIsSilentIsGivenUp() {
    let bus = ScriptedBus(staysOpen: true, answers: [])
    let problem = #expect(throws: SensorError.self) {
      _ = try DBusConnection(descriptor: bus.client, name: "bus", limit: .milliseconds(50))
    }
    #expect(problem?.errno == ETIMEDOUT)
  }

  @Test func noBusIsASentence() throws {
    let root = try TemporaryTree()
    let bluetooth = BlueZ(roots: BluetoothRoots(root: root.path))
    #expect(!bluetooth.isAdapterPresent)
    let problem = #expect(throws: SensorError.self) { _ = try bluetooth.inventory() }
    #expect(problem?.code == .notFound && problem?.message.contains("systemctl start dbus") == true)
    // A path that no address of a socket holds.
    var roots = BluetoothRoots()
    roots.bus = "/" + String(repeating: "x", count: 200)
    let tooLong = #expect(throws: SensorError.self) { _ = try BlueZ(roots: roots).inventory() }
    #expect(tooLong?.errno == ENAMETOOLONG)
  }

  @Test func anAdapterIsSeenWithoutTheService() throws {
    let root = try TemporaryTree()
    try root.folder("sys/class/bluetooth/hci0:11")
    #expect(!BlueZ(roots: BluetoothRoots(root: root.path)).isAdapterPresent)
    try root.folder("sys/class/bluetooth/hci0")
    #expect(BlueZ(roots: BluetoothRoots(root: root.path)).isAdapterPresent)
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
