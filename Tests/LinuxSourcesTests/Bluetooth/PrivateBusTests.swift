// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MotionSensing
import Testing

@testable import LinuxSources

/// A Bluetooth service in Python, on a message bus of the real `dbus-daemon`.
private let service = """
  import dbus, dbus.service, dbus.mainloop.glib, sys
  from gi.repository import GLib
  dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
  bus = dbus.bus.BusConnection(sys.argv[1])
  class Root(dbus.service.Object):
      @dbus.service.method('org.freedesktop.DBus.ObjectManager', out_signature='a{oa{sa{sv}}}')
      def GetManagedObjects(self):
          return {
              dbus.ObjectPath('/org/bluez/hci0'): {'org.bluez.Adapter1': {
                  'Address': '00:11:22:33:44:55', 'Alias': 'desk', 'Powered': dbus.Boolean(True),
                  'Class': dbus.UInt32(0x7c010c), 'ManufacturerData': dbus.Dictionary({dbus.UInt16(76): dbus.ByteArray(b'x')}, 'qv')}},
              dbus.ObjectPath('/org/bluez/hci0/dev_1'): {
                  'org.bluez.Device1': {'Address': '02:00:00:00:00:01', 'Alias': 'Buds', 'Paired': dbus.Boolean(True),
                      'Bonded': dbus.Boolean(False), 'Connected': dbus.Boolean(True), 'RSSI': dbus.Int16(-50),
                      'Modalias': 'bluetooth:v004Cp2027d0100', 'UUIDs': dbus.Array(['74ec2172-0bad-4d01-8f77-997b2be0722a'], 's')},
                  'org.bluez.Battery1': {'Percentage': dbus.Byte(61)}}}
  root = Root(bus, '/')
  name = dbus.service.BusName('org.bluez', bus)
  print('ready', flush=True)
  GLib.MainLoop().run()
  """

private enum PrivateBus {
  static let daemon = "/usr/bin/dbus-daemon"
  static let python = "/usr/bin/python3"

  static let isPossible: Bool = {
    guard FileManager.default.isExecutableFile(atPath: daemon) else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = ["-c", "import dbus, gi.repository.GLib"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// Children inherit the signals that a thread of this process has blocked, SIGTERM among them.
  static func end(_ process: Process) {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Starts a program and waits for the first line that it prints.
  static func start(_ path: String, _ arguments: [String]) throws -> (process: Process, line: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = ""
    while !text.contains("\n") {
      let data = pipe.fileHandleForReading.availableData
      guard !data.isEmpty else { break }
      text += String(decoding: data, as: UTF8.self)
    }
    return (process, text)
  }
}

/// The same against the message bus that everybody uses.
@Suite(.enabled(if: PrivateBus.isPossible, "needs dbus-daemon, python3-dbus and python3-gi"))
struct PrivateBusTests {
  @Test func theRealMessageBusIsSpokenTo() throws {
    let root = try TemporaryTree()
    var roots = BluetoothRoots(root: root.path)
    roots.bus = "\(root.path)/bus"
    let address = "unix:path=\(roots.bus)"
    let (daemon, line) = try PrivateBus.start(
      PrivateBus.daemon, ["--session", "--nofork", "--print-address", "--address=\(address)"])
    defer { PrivateBus.end(daemon) }
    try #require(line.hasPrefix("unix:"))
    let bluetooth = BlueZ(roots: roots, limit: .seconds(20))
    let nobody = #expect(throws: SensorError.self) { _ = try bluetooth.inventory() }
    #expect(nobody?.code == .notFound && nobody?.message.contains("systemctl start bluetooth") == true)

    let (fake, ready) = try PrivateBus.start(PrivateBus.python, ["-c", service, address])
    defer { PrivateBus.end(fake) }
    try #require(ready.hasPrefix("ready"))
    let found = try bluetooth.inventory()
    #expect(found.adapters.map(\.name) == ["desk"] && found.adapters.allSatisfy(\.isPowered))
    let device = try #require(found.devices.first)
    #expect(found.devices.count == 1 && device.isConnected && device.isPaired && !device.isBonded)
    #expect(device.model?.name == "AirPods Pro 3" && device.batteryPercent == 61 && device.offersAccessoryProtocol)
  }
}
