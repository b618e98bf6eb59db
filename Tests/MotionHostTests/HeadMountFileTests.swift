// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HeadphoneSources
import MotionHost
import MotionMath
import MotionSensing
import Testing

/// The mounts of headphones, kept and found again.
@Suite struct HeadMountFileTests {
  private let folder = HeadMountFolder(
    path: FileManager.default.temporaryDirectory.appending(path: "mounts-\(UUID().uuidString)").path)
  private let address = "AA:BB:CC:DD:EE:FF"
  private let file = HeadMountFile(
    mount: HeadMount(rotation: HeadMount.generic.rotation, nodAngle: 0.4, spread: 0.004), side: .headphoneLeft,
    date: Date(timeIntervalSince1970: 1_790_000_000.4), model: "AirPods Pro 2", disagreement: 0.02)

  private func withFolder(_ body: () throws -> Void) rethrows {
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    try body()
  }

  @Test func whatIsWrittenIsRead() throws {
    try withFolder {
      let path = folder.file(address: address, side: .headphoneLeft)
      #expect(try HeadMountFile(path: path) == nil)
      try file.write(to: path)
      let read = try #require(try HeadMountFile(path: path))
      #expect(read.mount.rotation.angle(to: file.mount.rotation) < 1e-12 && read.side == .headphoneLeft)
      #expect(read.date == file.date && read.model == file.model && read.mount.nodAngle == 0.4)
      #expect(read.disagreement == 0.02 && read.tiltWhileTurning == nil)
    }
  }

  /// Each side has its own; the address cannot be learned from the name of a file, or from what is in it.
  @Test func theDriverFindsEachSide() throws {
    try withFolder {
      let path = folder.file(address: address, side: .headphoneLeft)
      try file.write(to: path)
      let mounts = folder.mounts { _ in }
      #expect(mounts(address, .headphoneLeft) != nil)
      #expect(mounts(address.lowercased(), .headphoneLeft) != nil)
      #expect(mounts(address, .headphoneRight) == nil)
      #expect(mounts("AA:BB:CC:DD:EE:00", .headphoneLeft) == nil)
      #expect(mounts(nil, .headphoneLeft) == nil)
      let name = path.uppercased()
      #expect(!name.contains("AA:BB") && !name.contains("AABBCC"))
      #expect(!(try String(contentsOfFile: path, encoding: .utf8)).uppercased().contains("AA:BB"))
    }
  }

  @Test func whatIsNotUnderstoodIsRefusedAndNotUsed() throws {
    try withFolder {
      let path = folder.file(address: address, side: .headphoneLeft)
      try file.write(to: path)
      let good = try String(contentsOfFile: path, encoding: .utf8)
      let bad: [(String, SensorError.Code)] = [
        ("nonsense", .malformed), ("{}", .malformed), (good.replacing("head-mount", with: "other"), .malformed),
        (good.replacing("\"version\" : 1", with: "\"version\" : 2"), .unsupported),
        (good.replacing("\"left\"", with: "\"upper\""), .malformed),
        (good.replacing("0.48", with: "0.98"), .malformed), (good.replacing("0.48", with: "1e999"), .malformed),
        (good + String(repeating: " ", count: 20_000), .limitExceeded),
      ]
      for (text, code) in bad {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let error = #expect(throws: SensorError.self) { try HeadMountFile(path: path) }
        #expect(error?.code == code && error?.description.contains("calibrate again") == true, "\(text.prefix(40))")
        let mounts = folder.mounts { _ in }
        #expect(mounts(address, .headphoneLeft) == nil)
      }
    }
  }

  @Test func anAddressMayNameAFile() throws {
    try withFolder {
      let path = folder.file(address: address, side: .headphoneLeft)
      try file.write(to: path)
      let entry = try SourceCatalog().open(try SourceURI("airpods:\(address)?mount=\(path)"))
      guard case .fixed(let mount) = (entry.source as? AirPodsSource)?.options.mount else {
        Issue.record("The mount of the file is not used.")
        return
      }
      #expect(mount.rotation.angle(to: file.mount.rotation) < 1e-9)
      let error = #expect(throws: SensorError.self) {
        try SourceCatalog().open(try SourceURI("airpods:?mount=/no/such/file.json"))
      }
      #expect(error?.code == .notFound && error?.description.contains("motionctl headphones calibrate") == true)
    }
  }
}
