// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSources
import MotionMath
import MotionSensing
import MotionServices
import MotionTools
import OrientationFusion
import SimulatedSources
import Testing

@testable import MotionHost

/// Files of calibrations, and the sources that they are put around.
@Suite struct CalibrationTests {
  private let root = FileManager.default.temporaryDirectory.appending(path: "calibration-\(UUID().uuidString)").path
  private var folder: DeviceFolder { DeviceFolder(path: root + "/calibrations") }
  private let day = Date(timeIntervalSince1970: 1_790_000_000)

  private func correction(
    _ x: Double, matrix: Matrix3 = .identity, axes: Matrix3 = .identity
  ) throws -> SensorCorrection {
    try #require(SensorCorrection(offset: Vector3(x: x, y: 0, z: 0), matrix: matrix, axes: axes))
  }

  private func file(device: String) throws -> CalibrationFile {
    var file = CalibrationFile(device: device)
    file.gyroscope = .init(
      date: day, correction: try correction(0.01),
      quality: .init(samples: 1000, duration: 10, standardError: 1e-5, errorBefore: 0.01, errorAfter: 1e-5))
    file.accelerometer = .init(
      date: day,
      correction: try correction(0.1, matrix: Matrix3(diagonal: 1.01, 1, 1), axes: Matrix3(diagonal: -1, -1, -1)))
    file.magnetometer = .init(date: day, correction: try correction(30e-6))
    return file
  }

  @Test func aFileReadsBackAsItWasWrittenAndTheSameBytes() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let path = folder.file(of: "iio bmi160 at /sys/x")
    #expect(try CalibrationFile(path: path) == nil)
    let file = try file(device: "iio bmi160 at /sys/x")
    try file.write(to: path)
    #expect(try CalibrationFile(path: path) == file && folder.files == [path])
    #expect(try folder.calibration(of: "iio bmi160 at /sys/x") == file && file.date == day)
    #expect(try file.encoded() == CalibrationFile(path: path)?.encoded())
  }

  @Test(arguments: [
    ("{}", SensorError.Code.malformed), ("no JSON", .malformed),
    (#"{"format":"opencoremotion-calibration","version":2,"device":"d"}"#, .unsupported),
    (#"{"format":"opencoremotion-calibration","version":1}"#, .malformed),
    (
      #"{"format":"opencoremotion-calibration","version":1,"device":"d","gyroscope":{"date":"2026-01-01T00:00:00Z","offset":[1,2]}}"#,
      .malformed
    ),
    (#"{"format":"opencoremotion-calibration","version":1,"device":"d","gyroscope":{"offset":[1,2,3]}}"#, .malformed),
    // A gyroscope cannot be mirrored.
    (
      #"{"format":"opencoremotion-calibration","version":1,"device":"d","gyroscope":{"date":"2026-01-01T00:00:00Z","offset":[0,0,0],"axes":[-1,0,0,0,-1,0,0,0,-1]}}"#,
      .malformed
    ),
    (
      #"{"format":"opencoremotion-calibration","version":1,"device":"d","accelerometer":{"date":"2026-01-01T00:00:00Z","offset":[0,0,0],"matrix":[0,0,0,0,0,0,0,0,0]}}"#,
      .malformed
    ),
    (String(repeating: " ", count: 70_000), .limitExceeded),
  ])
  func aBadFileIsRefusedWithItsPathAndWhatToDo(text: String, code: SensorError.Code) throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    let path = root + "/bad.json"
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    let error = #expect(throws: SensorError.self) { _ = try CalibrationFile(path: path) }
    #expect(error?.code == code && error?.place?.file == path && error?.message.contains("remove it") == true)
  }

  @Test func aSensorOfTheComputerGetsItsCalibrationAndABadOneIsNotLeftOutInSilence() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let device = "\(root)/sys/bus/iio/devices/iio:device0"
    try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
    var attributes = ["name": "bmi160", "in_accel_scale": "0.000598", "in_anglvel_scale": "0.001065"]
    for axis in ["x", "y", "z"] {
      (attributes["in_accel_\(axis)_raw"], attributes["in_anglvel_\(axis)_raw"]) = ("9", "0")
    }
    for (name, value) in attributes { try value.write(toFile: "\(device)/\(name)", atomically: false, encoding: .utf8) }
    let catalog = SourceCatalog(root: SystemRoot(root), calibrations: folder)
    let raw = try catalog.open(try SourceURI("iio:")).source
    #expect(!(raw is CalibratedSource))
    let identity = try #require(raw.info.identity)
    try file(device: identity).write(to: folder.file(of: identity))

    let source = try #require(try catalog.open(try SourceURI("iio:")).source as? CalibratedSource)
    #expect(
      source.file.calibration.gyroscope?.offset.x == 0.01 && source.file.date == day
        && source.info.name == raw.info.name)
    // What was learned without it does not hold with it.
    #expect(source.info.identity != identity && source.info.identity?.hasPrefix(identity) == true)
    #expect(try catalog.automatic(.device)?.source is CalibratedSource)
    #expect(try !(catalog.open(try SourceURI("iio:?calibration=off")).source is CalibratedSource))
    #expect(catalog.listings().filter { $0.calibrationDate == day }.map(\.address) == ["iio:", "iio:device0"])

    let environment = HostEnvironment(
      ["MOTION_CALIBRATION": folder.path, "MOTION_MEMORY": "off"], root: SystemRoot(root))
    #expect(environment.makeHost().device?.source is CalibratedSource)
    #expect(environment.checkup().canReadMotion)

    try file(device: "another").write(to: folder.file(of: identity))
    #expect(throws: SensorError.self) { try catalog.open(try SourceURI("iio:")) }
    let refused = environment.makeHost()
    #expect(refused.device == nil && refused.sourceProblem?.message.contains("“another”") == true)
    #expect(catalog.listings().first?.problem?.code == .malformed)
    #expect(!environment.checkup().canReadMotion)
  }

  @Test func aSimulationIsCorrectedOnlyWhenItsAddressSaysSo() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let path = folder.file(of: "x")
    try file(device: "x").write(to: path)
    let catalog = SourceCatalog(calibrations: folder)
    #expect(try !(catalog.open(try SourceURI("simulate:rest")).source is CalibratedSource))
    let address = "simulate:rest?bias=0.01:0:0&duration=1&calibration=\(path)"
    let source = try catalog.open(try SourceURI(address)).source
    #expect(source.info.channel(.magnetometer)?.isCalibrated == true && source.info.identity == nil)
    let rates = Lock<Set<Vector3<Device>>>([])
    let hub = MotionHub(source: source, clock: FreeRunningClock())
    let ended = DispatchSemaphore(value: 0)
    let subscription = hub.subscribe(.gyroscope, interval: .zero) { sample in
      if case .gyroscope(let sample) = sample { rates.withLock { _ = $0.insert(sample.angularVelocity) } }
    } news: { news in
      if case .ended = news { ended.signal() }
    }
    #expect(ended.wait(timeout: .now() + 120) == .success)
    subscription.cancel()
    #expect(rates.withLock { $0 } == [.zero])
    #expect(throws: SensorError.self) { try catalog.open(try SourceURI("simulate:rest?calibration=/nowhere.json")) }
  }

  @Test func theFolderComesFromTheEnvironment() throws {
    #expect(try HostEnvironment(["HOME": "/h"]).calibrations()?.path == "/h/.config/opencoremotion/calibration")
    #expect(
      try HostEnvironment(["HOME": "/h", "XDG_CONFIG_HOME": "/c"]).calibrations()?.path
        == "/c/opencoremotion/calibration")
    #expect(try HostEnvironment(["HOME": "/h", "MOTION_CALIBRATION": "/m"]).calibrations()?.path == "/m")
    #expect(try HostEnvironment(["HOME": "/h", "MOTION_CALIBRATION": "off"]).calibrations() == nil)
    #expect(throws: SensorError.self) { try HostEnvironment(["MOTION_CALIBRATION": "here"]).calibrations() }
  }
}

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

  static func learned() -> LearnedDevice {
    let filter = OrientationFilter(usesMagnetometer: true)
    var sensor = filter.learned
    sensor.gyroscopeBias = Vector3(x: 0.0123456789012345, y: -0.02, z: 1e-5)
    sensor.gyroscopeMatrix = Matrix3(0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.007, 0.008, 0.009)
    sensor.magnetometerDelay = 0.0121
    sensor[0, 5] = 1e-7
    return LearnedDevice(
      sensor: sensor,
      magnetometer: MagnetometerCalibration(
        hardIron: Vector3(x: 1e-4, y: 2e-5, z: -3e-5), fieldStrength: 4.7e-5, hardIronDeviation: 6e-7,
        accuracy: .high))
  }

  static func file() -> LearnedDeviceFile {
    LearnedDeviceFile(
      device: "i2c-1/bmi160 №7", learnedAt: Date(timeIntervalSince1970: 1_790_000_000), learned: learned())
  }

  @Test func everyBitComesBack() throws {
    let folder = try Folder()
    let path = folder.path("deep/er/device.json")
    let file = Self.file()
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
    let folder = DeviceFolder(path: "/nowhere")
    #expect(folder.memory(of: Self.info()) != nil)
    #expect(folder.memory(of: Self.info(identity: nil)) == nil)
    #expect(folder.memory(of: Self.info(identity: "")) == nil)
    #expect(folder.memory(of: Self.info(origin: .recording)) == nil)
    #expect(folder.memory(of: Self.info(origin: .simulation)) == nil)
    #expect(folder.memory(of: Self.info(pacing: .onDemand)) == nil)
  }

  @Test func whatIsKeptIsRecalledWithWiderDoubts() throws {
    let place = try Folder()
    let folder = DeviceFolder(path: place.path("sensors"))
    let memory = try #require(folder.memory(of: Self.info()))
    #expect(memory.recall() == nil)
    memory.keep(Self.learned())
    let recalled = try #require(memory.recall())
    #expect(recalled.sensor.gyroscopeMatrix == Self.learned().sensor.gyroscopeMatrix)
    #expect(recalled.magnetometer?.hardIron == Self.learned().magnetometer?.hardIron)

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
    let folder = DeviceFolder(path: place.url.path)
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
    let folder = DeviceFolder(path: "/state")
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
