// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import MotionSensing
import Testing

/// A phone's app pushes to a real process that uses CMMotionManager or the recorder.
@Suite struct PhoneTests {
  private static let address = "phone:sensorlogger?listen=127.0.0.1&port=0&token=abcdefgh12345678"

  /// The address that the process has printed.
  private static func pushAddress(of process: MotionctlProcess) throws -> URL {
    var url: URL?
    let isThere = waitUntil {
      let line = process.errorsSoFar.split(separator: "\n").first { $0.contains("http://") && $0.hasSuffix("/data") }
      url = line.flatMap { URL(string: $0.trimmingCharacters(in: .whitespaces)) }
      return url != nil
    }
    try #require(isThere, "\(process.errorsSoFar)")
    return try #require(url)
  }

  /// Batches of 100 ms at 100 Hz at the real pace: face up, turning by 0.5 rad/s about the axis that points up.
  private static func push(to url: URL, seconds: Int) throws {
    let (clock, wake) = (MonotonicClock(), WakeSignal())
    let start = clock.now
    for number in 0..<seconds * 10 {
      let entries = (0..<10).map { index -> String in
        let time = 1_790_000_000_000_000_000 + (number * 10 + index) * 10_000_000
        return
          #"{"name":"accelerometeruncalibrated","time":\#(time),"values":{"x":0,"y":0,"z":-1}},{"name":"gyroscopeuncalibrated","time":\#(time),"values":{"x":0,"y":0,"z":0.5}}"#
      }
      let body =
        #"{"messageId":\#(number),"sessionId":"s","deviceId":"d","payload":[\#(entries.joined(separator: ","))]}"#
      _ = clock.wait(until: start + .milliseconds(100 * Int64(number + 1)), wake: wake)
      #expect(try status(of: body, to: url) == 200)
    }
  }

  private static func status(of body: String, to url: URL) throws -> Int {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data(body.utf8)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var status = 0
    URLSession.shared.dataTask(with: request) { _, response, _ in
      status = (response as? HTTPURLResponse)?.statusCode ?? 0
      done.signal()
    }.resume()
    done.wait()
    return status
  }

  @Test func aClientOfCMMotionManagerGetsThePhonesAttitude() throws {
    let process = try MotionctlProcess(
      ["stream", "--format", "ndjson"], environment: ["MOTION_SOURCE": Self.address])
    try Self.push(to: Self.pushAddress(of: process), seconds: 2)
    process.send(SIGINT)
    let result = try process.finish()
    #expect(result.code == 130, "\(result.errors)")
    let rows = try result.lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    // The output is not read before the signal: a pipe holds 160 rows.
    try #require(rows.count >= 120)
    func yaw(_ row: [String: Any]) throws -> Double {
      let q = try #require(row["attitude"] as? [String: Double] ?? (row["quaternion"] as? [String: Double]))
      return 2 * atan2(q["z"] ?? .nan, q["w"] ?? .nan)
    }
    func time(_ row: [String: Any]) throws -> Double { try #require(row["timestamp"] as? Double) }
    // Every row 10 ms after the one before, and half a radian more each second.
    for (a, b) in zip(rows, rows.dropFirst()) { #expect(abs(try time(b) - time(a) - 0.01) < 1e-6) }
    let turned = remainder(try yaw(rows[119]) - yaw(rows[20]), 2 * .pi)
    #expect(abs(turned - 0.5 * 0.99) < 0.01)
    // The host's clock, not the phone's.
    let uptime = ProcessInfo.processInfo.systemUptime
    #expect(try abs(time(rows[119]) - uptime) < 60)
  }

  @Test func aRecordingOfAPhoneHasEverySample() throws {
    let folder = try TemporaryFolder()
    let process = try MotionctlProcess(["record", Self.address, "-o", folder.path("a.mcap")])
    try Self.push(to: Self.pushAddress(of: process), seconds: 3)
    // Each second what is there is written to the disk.
    #expect(waitUntil { (try? InfoOutput(of: folder.path("a.mcap")))?.samples["gyroscope"] == 300 })
    process.send(SIGINT)
    let result = try process.finish()
    #expect(result.errors.contains("none lost"), "\(result.errors)")
    let report = try InfoOutput(of: folder.path("a.mcap"))
    #expect(report.samples["accelerometer"] == 300 && report.samples["gyroscope"] == 300)
  }

  @Test(arguments: [
    ("phone:morse", "phone:sensorlogger"), ("phone:?speed=2", "real time"), ("phone:?token=ab", "token"),
    ("phone:?listen=example.org", "numeric address"), ("phone:?listen=0.0.0.0", "numeric address"),
    ("phone:?rate=5", "options are port, listen"),
  ])
  func aMistakeInTheAddressIsASentence(address: String, sentence: String) throws {
    let result = try MotionctlProcess.run("stream", address, "--for", "1")
    #expect(result.code != 0 && result.errors.contains(sentence), "\(result.errors)")
  }
}
