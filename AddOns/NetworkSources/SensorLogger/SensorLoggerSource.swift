// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import PhoneFormats

/// A phone, its watch or its headphones, whose sensors the app Sensor Logger pushes over HTTP.
///
/// ```
/// MOTION_SOURCE=phone:sensorlogger            the phone
/// MOTION_HEADPHONES=phone:sensorlogger        the headphones that are connected to it
/// ```
///
/// A run opens a port and says how to send there. Until a phone sends, and while it is silent, nothing is delivered,
/// which is no failure. The first half second of a recording is held back to tell units and time (``ArrivalClock``);
/// samples then come as late as the app's batches make them.
///
/// Axes are the phone's. The units are told from the numbers or said in the options (``PhoneOptions``).
final class SensorLoggerSource: SensorSource {
  let info: SensorInfo
  private let options: PhoneOptions
  private let server: SensorLoggerServer
  private let announcer: PhoneAnnouncer
  /// Of the present or the last run.
  private let inbox = Lock<PhoneInbox?>(nil)

  /// A source on a server of its own, or on one that it shares with others of the program.
  init(
    _ options: PhoneOptions, server: SensorLoggerServer? = nil, announcer: PhoneAnnouncer = PhoneAnnouncer()
  ) {
    (self.options, self.announcer) = (options, announcer)
    self.server = server ?? SensorLoggerServer(options)
    info = Self.info(options.device)
  }

  private static func info(_ device: PhoneDevice) -> SensorInfo {
    let (name, deviceClass, kinds): (String, SensorInfo.DeviceClass, [SensorKinds]) =
      switch device {
      case .phone:
        ("phone (Sensor Logger)", .phone, [.accelerometer, .gyroscope, .magnetometer, .airPressure])
      case .watch: ("watch (Sensor Logger)", .watch, [.accelerometer, .gyroscope])
      case .headphones: ("headphones (Sensor Logger)", .headphones, [.motion, .connection])
      }
    return SensorInfo(
      name: name, origin: .hardware, pacing: .live, deviceClass: deviceClass,
      channels: kinds.map { SensorInfo.Channel(kind: $0) }, reordering: PhoneStream.reordering,
      fusedReference: device == .headphones ? .xArbitrary : nil)
  }

  /// What happened in the present or the last run, and what the server has refused.
  var statistics: PhoneStatistics {
    (inbox.withLock { $0?.statistics } ?? PhoneStatistics()) + server.counts
  }

  /// The addresses for the phone while a run is under way.
  var addresses: (page: String, push: String)? { server.addresses }

  func run(_ session: SensorSession) throws {
    let inbox = PhoneInbox(options, session: session)
    self.inbox.withLock { $0 = inbox }
    try server.attach(inbox)
    defer { server.detach(inbox) }
    if let addresses = server.addresses {
      announcer.invite(
        "Waiting for a phone. Scan the code with its camera, or set the push URL of Sensor Logger (gear, HTTP Push) to\n  \(addresses.push)",
        page: addresses.page)
    }
    var hearing = PhoneHearing(announcer, of: "app")
    defer { if let losses = statistics.losses { announcer.warning(losses) } }
    try report(false, session)
    while true {
      if session.isStopped { throw SourceStopped() }
      let now = session.clock.now
      let news = inbox.take(at: now)
      if let heard = news.heard, heard != hearing.heard {
        if hearing.heard == nil || hearing.isSilent { try report(true, session) }
        hearing.hear(at: heard)
      }
      for sample in news.samples where session.resumeAfter.map({ sample.time > $0 }) ?? true {
        if session.isStopped { throw SourceStopped() }
        try session.deliver(sample)
      }
      news.said.notice.map(announcer.notice)
      news.said.warning.map(announcer.warning)
      if hearing.notice(at: now) { try report(false, session) }
      // Without a deadline it waits for a message or a stop.
      let deadline = [news.deadline, hearing.deadline].compactMap(\.self).min()
      _ = session.clock.wait(until: deadline ?? SensorInstant(nanoseconds: .max), wake: session.wake)
    }
  }

  /// Reports the connection of headphones, which come and go.
  private func report(_ isConnected: Bool, _ session: SensorSession) throws(SourceStopped) {
    guard options.device == .headphones else { return }
    try session.report(ConnectionState(isConnected: isConnected))
  }
}
