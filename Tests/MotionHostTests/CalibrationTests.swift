// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSources
import MotionMath
import MotionSensing
import MotionServices
import MotionTools
import SimulatedSources
import Testing

@testable import MotionHost

/// Files of calibrations, and the sources that they are put around.
@Suite struct CalibrationTests {
  private let root = FileManager.default.temporaryDirectory.appending(path: "calibration-\(UUID().uuidString)").path
  private var folder: CalibrationFolder { CalibrationFolder(path: root + "/calibrations") }
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
    #expect(source.calibration.gyroscope?.offset.x == 0.01 && source.date == day && source.info.name == raw.info.name)
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
