// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionNetwork
import MotionSensing
import PhoneFormats

/// The protocol of an app that is a server on the phone.
protocol PhoneServer: Sendable {
  /// "phyphox".
  static var app: String { get }
  /// Whether what becomes due is delivered also before the server is tried again.
  static var deliversMeanwhile: Bool { get }
  init(_ place: NetworkPlace)
  /// Reads until the connection ends: the reason is a sentence, or nil when there is none to tell. Throws a
  /// `SensorError` when the server is not there or is something else; `publish` makes the counts of the run visible.
  mutating func read(
    _ session: SensorSession, _ run: inout PhoneRun, _ announcer: PhoneAnnouncer, publish: (PhoneRun) -> Void
  ) throws -> String?
}

/// A phone whose app is a server, which is asked for its sensors: `phone:phyphox/HOST:PORT`, `phone:sensorserver/HOST`.
///
/// While the server is not there it is tried again every two seconds, which is no failure; each reason is said once.
final class PhoneServerSource: SensorSource {
  let info: SensorInfo
  private static let retry = SensorDuration.seconds(2)

  private let server: any PhoneServer
  private let announcer: PhoneAnnouncer
  private let state = Lock(PhoneStatistics())

  /// The source of a kind of server at `HOST` or `HOST:PORT`; these sources have no options.
  init(
    _ kind: any PhoneServer.Type, path: String, options: [String: String], announcer: PhoneAnnouncer = PhoneAnnouncer()
  ) throws(SensorError) {
    server = kind.init(try NetworkPlace(path, port: 8080, of: "phone:\(kind.app.lowercased())", options: options))
    self.announcer = announcer
    info = SensorInfo(
      name: "phone (\(kind.app))", origin: .hardware, pacing: .live, deviceClass: .phone,
      channels: [
        .init(kind: .accelerometer), .init(kind: .gyroscope), .init(kind: .magnetometer, isCalibrated: true),
        .init(kind: .airPressure),
      ], reordering: PhoneStream.reordering)
  }

  /// What happened in the present or the last run.
  var statistics: PhoneStatistics { state.withLock { $0 } }

  func run(_ session: SensorSession) throws {
    var run = PhoneRun(session: session, device: .phone, units: PhoneUnits(platform: .android), announcer: announcer)
    defer {
      state.withLock { $0 = run.statistics }
      run.sayLosses(statistics)
    }
    var server = server
    var said: String?
    while true {
      if session.isStopped { throw SourceStopped() }
      var reason: String?
      do {
        reason = try server.read(session, &run, announcer) { run in state.withLock { $0 = run.statistics } }
      } catch let error as SensorError {
        reason = error.description
      } catch ClientConnection.Interruption.woken {
        // A request of the subscribers changes nothing here.
        session.wake.drain()
        continue
      }
      if let reason, said != reason {
        announcer.warning(reason + " It is tried again every \(Int(Self.retry.seconds)) s.")
      }
      said = reason
      try run.wait(Self.retry, delivering: type(of: server).deliversMeanwhile)
    }
  }
}
