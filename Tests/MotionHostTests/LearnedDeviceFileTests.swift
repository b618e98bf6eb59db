// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import OrientationFusion
import Testing

/// What is learned about a device, on disk.
@Suite struct LearnedDeviceFileTests {
  /// A folder that goes away with its owner.
  final class Folder {
    let url: URL
    init() throws {
      url = FileManager.default.temporaryDirectory.appendingPathComponent("learned-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(at: url) }
    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [] }
  }

  static func learned(softIron: Bool = true) -> LearnedDevice {
    var sensor = OrientationFilter(usesMagnetometer: true).learned
    sensor.gyroscopeBias = Vector3(x: 0.0123456789012345, y: -0.02, z: 1e-5)
    sensor.gyroscopeMatrix = Matrix3(0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.007, 0.008, 0.009)
    sensor.magnetometerDelay = 0.0121
    sensor[0, 5] = 1e-7
    return LearnedDevice(
      sensor: sensor,
      magnetometer: MagnetometerCalibration(
        hardIron: Vector3(x: 1e-4, y: 2e-5, z: -3e-5), fieldStrength: 4.7e-5, hardIronDeviation: 6e-7,
        accuracy: .high, softIron: softIron ? Matrix3(diagonal: 1.25, 1, 0.8) : .identity,
        softIronDeviation: softIron ? 0.004 : nil))
  }

  static func file(softIron: Bool = true) -> LearnedDeviceFile {
    LearnedDeviceFile(
      device: "i2c-1/bmi160 №7", learnedAt: Date(timeIntervalSince1970: 1_790_000_000),
      learned: learned(softIron: softIron))
  }

  @Test(arguments: [true, false]) func everyBitComesBack(softIron: Bool) throws {
    let folder = try Folder()
    let path = folder.path("deep/er/device.json")
    let file = Self.file(softIron: softIron)
    try file.write(to: path)
    #expect(try LearnedDeviceFile(path: path) == file)
    #expect(try file.encoded() == Data(contentsOf: URL(fileURLWithPath: path)))
    // Written whole under its name, and nothing beside it.
    try file.write(to: path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("deep/er")) == ["device.json"])
  }

  @Test func aFileThatIsNotThereIsNoError() throws {
    let folder = try Folder()
    #expect(try LearnedDeviceFile(path: folder.path("none.json")) == nil)
  }

  /// Each text stands for a piece of a good file and what takes its place.
  @Test(arguments: [
    ("opencoremotion-learned", "something-else", SensorError.Code.malformed),
    ("\"version\" : 1", "\"version\" : 2", .unsupported), ("\"version\" : 1", "\"version\" : \"one\"", .malformed),
    ("0.0121", "1e999", .malformed), ("0.0121", "7", .malformed), ("0.0121", "null", .malformed),
    ("0.009\n", "0.009, 0.01\n", .malformed), ("0.009\n", "9\n", .malformed),
    ("\"accuracy\" : 2", "\"accuracy\" : 9", .malformed),
    ("4.7e-05", "4.7", .malformed), ("{", "", .malformed),
  ])
  func aFileThatCannotBeRightIsRefusedInASentence(
    _ damage: (good: String, bad: String, code: SensorError.Code)
  ) throws {
    let folder = try Folder()
    let path = folder.path("device.json")
    let text = String(decoding: try Self.file().encoded(), as: UTF8.self)
    let range = try #require(text.range(of: damage.good))
    try Data(text.replacingCharacters(in: range, with: damage.bad).utf8).write(to: URL(fileURLWithPath: path))
    let error = try #require(throws: SensorError.self) { try LearnedDeviceFile(path: path) }
    #expect(error.code == damage.code)
    #expect(error.place?.file == path)
    #expect(error.message.hasSuffix(".") && error.message.count > 20)
  }

  @Test func cutAndFlippedFilesNeverTrap() throws {
    let folder = try Folder()
    let path = folder.path("device.json")
    let whole = try Self.file().encoded()
    var state: UInt64 = 7
    for round in 0..<200 {
      var bytes = whole
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let at = Int(state >> 33) % bytes.count
      if round.isMultiple(of: 2) {
        bytes.removeSubrange(at...)
      } else {
        bytes[at] = UInt8(truncatingIfNeeded: state >> 20)
      }
      try bytes.write(to: URL(fileURLWithPath: path))
      if let file = try? LearnedDeviceFile(path: path) { #expect(file.learned.sensor.isPlausible) }
    }
    try Data(count: 70_000).write(to: URL(fileURLWithPath: path))
    #expect(throws: SensorError.self) { try LearnedDeviceFile(path: path) }
  }

  @Test func numbersThatAreNotFiniteAreNotWritten() throws {
    let folder = try Folder()
    var file = Self.file()
    file.learned.sensor.magnetometerDelay = .infinity
    #expect(throws: SensorError.self) { try file.write(to: folder.path("device.json")) }
    #expect(folder.names.isEmpty)
  }

  // MARK: The folder of a host

  private static func info(
    identity: String? = "serial 1", origin: SensorInfo.Origin = .hardware, pacing: SensorInfo.Pacing = .live
  ) -> SensorInfo {
    SensorInfo(name: "test", origin: origin, pacing: pacing, channels: [.init(kind: .inertial)], identity: identity)
  }

  @Test func onlyLiveSensorsWithAnIdentityAreRemembered() {
    let folder = SensorMemoryFolder(path: "/nowhere")
    #expect(folder.memory(of: Self.info()) != nil)
    #expect(folder.memory(of: Self.info(identity: nil)) == nil)
    #expect(folder.memory(of: Self.info(identity: "")) == nil)
    #expect(folder.memory(of: Self.info(origin: .recording)) == nil)
    #expect(folder.memory(of: Self.info(origin: .simulation)) == nil)
    #expect(folder.memory(of: Self.info(pacing: .onDemand)) == nil)
  }

  @Test func whatIsKeptIsRecalledWithWiderDoubts() throws {
    let place = try Folder()
    let folder = SensorMemoryFolder(path: place.path("sensors"))
    let memory = try #require(folder.memory(of: Self.info()))
    #expect(memory.recall() == nil)
    memory.keep(Self.learned())
    let recalled = try #require(memory.recall())
    #expect(recalled.sensor.gyroscopeMatrix == Self.learned().sensor.gyroscopeMatrix)
    #expect(recalled.magnetometer?.hardIron == Self.learned().magnetometer?.hardIron)
    #expect(recalled.magnetometer?.softIron == Self.learned().magnetometer?.softIron)

    // Written a long time ago, or in the future: as wide as can be.
    for date in [Date(timeIntervalSince1970: 0), Date(timeIntervalSinceNow: 86_400)] {
      try LearnedDeviceFile(device: "serial 1", learnedAt: date, learned: Self.learned())
        .write(to: folder.file(of: "serial 1"))
      let old = try #require(folder.memory(of: Self.info())?.recall())
      #expect(old == Self.learned().widened(elapsed: .infinity))
      #expect((old.magnetometer?.hardIronDeviation ?? 0) > 2e-6)
    }
  }

  @Test func aFileThatIsBrokenOrOfAnotherDeviceIsNeitherUsedNorWrittenOver() throws {
    let place = try Folder()
    let folder = SensorMemoryFolder(path: place.url.path)
    let path = folder.file(of: "serial 1")
    let other = try LearnedDeviceFile(device: "serial 2", learnedAt: nil, learned: Self.learned()).encoded()
    for bytes in [Data("oops".utf8), other] {
      try bytes.write(to: URL(fileURLWithPath: path))
      let memory = try #require(folder.memory(of: Self.info()))
      #expect(memory.recall() == nil)
      memory.keep(Self.learned())
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }
  }

  @Test func aFileNameCannotLeaveTheFolder() {
    let folder = SensorMemoryFolder(path: "/state")
    #expect(folder.file(of: "../../etc/passwd") == "/state/%2E%2E%2F%2E%2E%2Fetc%2Fpasswd.json")
    #expect(folder.file(of: "AA:BB") != folder.file(of: "AA BB"))
    let (long, longer) = (String(repeating: "x", count: 500), String(repeating: "x", count: 501))
    #expect(folder.file(of: long).utf8.count < 220)
    #expect(folder.file(of: long) != folder.file(of: longer))
  }

  @Test func theEnvironmentSaysWhere() {
    #expect(
      HostEnvironment(["HOME": "/people/me"]).memories?.path == "/people/me/.local/state/opencoremotion/sensors")
    #expect(
      HostEnvironment(["HOME": "/people/me", "XDG_STATE_HOME": "/state"]).memories?.path
        == "/state/opencoremotion/sensors"
    )
    // The specification has relative paths ignored.
    #expect(
      HostEnvironment(["HOME": "/people/me", "XDG_STATE_HOME": "state"]).memories?.path
        == "/people/me/.local/state/opencoremotion/sensors")
    #expect(HostEnvironment(["HOME": "/people/me", "MOTION_MEMORY": "/robot"]).memories?.path == "/robot")
    #expect(HostEnvironment(["HOME": "/people/me", "MOTION_MEMORY": "off"]).memories == nil)
    #expect(HostEnvironment(["HOME": "/people/me", "MOTION_MEMORY": "robot"]).memories == nil)
    #expect(HostEnvironment([:]).memories == nil)
  }
}
