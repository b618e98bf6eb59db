// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionSensing
import MotionTesting
import Testing

@testable import MotionHost
@testable import NetworkSources

/// CMOdometerData out of a track, and its absence.
@Suite struct OdometerTests {
  private static func line(_ text: String) -> String {
    "$\(text)*\(String(format: "%02X", text.utf8.reduce(0, ^)))\r\n"
  }

  /// A walk of a minute at 1.4 m/s (2.72 knots), uphill by a metre in ten; latitude in minutes of 1,853 m.
  private static let track = (0..<60).map { second in
    let time = String(format: "1200%02d.00", second)
    let latitude = String(format: "48%09.6f", 7 + 1.4 * Double(second) / 1853.25)
    let height = String(format: "%.2f", 500 + 0.14 * Double(second))
    return line("GPRMC,\(time),A,\(latitude),N,01131.000,E,2.721,0.0,231126,,")
      + line(
        "GPGGA,\(time),\(latitude),N,01131.000,E,1,10,0.8,\(height),M,47.0,M,,")
  }

  private func withFile<Result>(_ text: String, _ body: (String) async throws -> Result) async throws -> Result {
    let path = NSTemporaryDirectory() + "track-\(UUID().uuidString).nmea"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
  }

  private func host(_ location: String) throws -> MotionHost {
    let host = MotionHost(clock: VirtualClock())
    host.locationTrack = try HostEnvironment(["MOTION_LOCATION": location]).locationTrack()
    return host
  }

  @Test func aTrackGivesItsWay() async throws {
    try await withFile(Self.track.joined()) { path in
      let host = try host(path)
      #expect(host.isOdometerAvailable)
      var pieces: [CMOdometerData] = []
      for try await piece in host.odometerUpdates() { pieces.append(piece) }
      #expect(pieces.count == 59)
      #expect(abs(pieces.reduce(0) { $0 + $1.deltaDistance } - 59 * 1.4) < 0.1)
      let last = try #require(pieces.last)
      #expect(last.endDate.timeIntervalSince(last.startDate) == 1 && last.gpsDate == last.endDate)
      #expect(last.endDate == ISO8601DateFormatter().date(from: "2026-11-23T12:00:59Z"))
      #expect(abs(last.speed - 1.4) < 0.001 && last.speedAccuracy > 0 && last.deltaDistanceAccuracy > 0)
      #expect(abs(last.deltaAltitude - 0.14) < 0.011 && last.verticalAccuracy > 0 && last.originDevice == .local)
      #expect(abs((last.slope ?? 0) - 5.71) < 0.1 && abs((last.maxAbsSlope ?? 0) - 5.71) < 0.1)
    }
  }

  /// The place of the first fix serves true north.
  @Test func theFirstFixIsThePlace() async throws {
    try await withFile(Self.track[0]) { path in
      let host = try host(path)
      host.findLocation()
      while host.location == nil { await Task.yield() }
      #expect(abs((host.location?.latitude ?? 0) * 180 / .pi - (48 + 7.0 / 60)) < 1e-6)
      #expect(host.location?.height == 547 && host.declination != nil)
    }
  }

  @Test func whatIsNotThereIsAnError() async throws {
    let none = MotionHost(clock: VirtualClock())
    #expect(!none.isOdometerAvailable)
    #expect(await error(of: none)?.code == Int(CMErrorNotAvailable.rawValue))
    let missing = try await error(of: host("/nowhere/track.nmea"))
    #expect(missing?.localizedDescription.contains("/nowhere/track.nmea") == true)
    let empty = try await withFile("no sentence\n") { path in try await error(of: host(path)) }
    #expect(empty?.localizedDescription.contains("no position") == true)
    #expect(try await error(of: host("/tmp")) != nil)
    let denied = try host("gpsd:")
    denied.policy.authorization = .denied
    #expect((await error(of: denied))?.code == Int(CMErrorNotAuthorized.rawValue))
  }

  private func error(of host: MotionHost) async -> NSError? {
    do {
      for try await _ in host.odometerUpdates() {}
      return nil
    } catch {
      return error as NSError
    }
  }

  @Test func theSettingNamesAPlaceAReceiverOrAFile() throws {
    func read(_ text: String) throws -> LocationTrack? {
      try HostEnvironment(["MOTION_LOCATION": text]).locationTrack() as? LocationTrack
    }
    #expect(try read("48.14,11.58") == nil && read("gpsd:") == .gpsd(host: "localhost", port: 2947))
    #expect(try read("gpsd://pi.local:3000") == .gpsd(host: "pi.local", port: 3000))
    #expect(try read("tracks/a.nmea") == .file("tracks/a.nmea"))
    #expect(throws: SensorError.self) { try read("gpsd:a b") }
    #expect(throws: SensorError.self) { try HostEnvironment(["MOTION_LOCATION": "home"]).location() }
  }
}
