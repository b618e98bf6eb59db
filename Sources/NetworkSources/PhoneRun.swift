// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import PhoneFormats

/// Tells a person what happens with a phone: how to connect it, that it sends, that it has fallen silent.
struct PhoneAnnouncer: Sendable {
  /// A terminal shows what is said: QR codes may be in colour.
  var hasColors = false
  var notice: @Sendable (String) -> Void = { _ in }
  var warning: @Sendable (String) -> Void = { _ in }
}

/// One run of a phone's source: what has arrived becomes samples, and a person hears what matters.
struct PhoneRun {
  /// After so long without a message the phone is silent: its screen is locked, its app closed, or its network gone.
  static let silence = SensorDuration.seconds(3)
  /// Sessions of which late messages are known.
  private static let rememberedSessions = 8

  let session: SensorSession
  let device: PhoneDevice
  private let announcer: PhoneAnnouncer
  private var stream: PhoneStream
  private var sessions: [String] = []
  private var heard: SensorInstant?
  /// When the present session began.
  private var begun: SensorInstant?
  private var isSilent = false
  private var hasSaid = (sensors: false, doubt: false)
  private var counts = PhoneStatistics()

  init(session: SensorSession, device: PhoneDevice, units: PhoneUnits, announcer: PhoneAnnouncer) {
    (self.session, self.device, self.announcer) = (session, device, announcer)
    stream = PhoneStream(device: device, units: units)
  }

  /// Reports the connection of headphones, which come and go.
  func report(isConnected: Bool) throws(SourceStopped) {
    guard device == .headphones else { return }
    try session.report(ConnectionState(isConnected: isConnected))
  }

  /// Takes a message.
  mutating func receive(_ letter: PhoneLetter) throws(SourceStopped) {
    if sessions.last != letter.session || sessions.isEmpty {
      guard !sessions.contains(letter.session) else {
        counts.lateMessages += 1
        return
      }
      if !sessions.isEmpty {
        stream.restart()
        hasSaid = (false, false)
      }
      counts.sessions += 1
      begun = letter.arrival
      sessions = Array((sessions + [letter.session]).suffix(Self.rememberedSessions))
    }
    let wanted = device.sensors
    guard letter.readings.contains(where: { wanted.contains($0.sensor) }) else {
      // Messages of the others are numbered, too.
      stream.receive([], number: letter.number, at: letter.arrival)
      return
    }
    if let heard, isSilent {
      let pause = letter.arrival - heard
      counts.returns += 1
      counts.silentNanoseconds += pause.nanoseconds
      announcer.notice("The phone sends again after \(Int(pause.seconds)) s.")
    }
    if heard == nil || isSilent { try report(isConnected: true) }
    (heard, isSilent) = (letter.arrival, false)
    stream.receive(letter.readings, number: letter.number, at: letter.arrival, hasAccuracy: letter.hasAccuracy)
  }

  /// Delivers everything that need not wait, and notices silence.
  mutating func deliver() throws(SourceStopped) {
    let now = session.clock.now
    while let samples = stream.next(at: now) {
      for sample in samples where session.resumeAfter.map({ sample.time > $0 }) ?? true {
        if session.isStopped { throw SourceStopped() }
        try session.deliver(sample)
      }
    }
    sayWhatIsThere(at: now)
    guard let heard, !isSilent, now - heard > Self.silence else { return }
    isSilent = true
    announcer.notice(
      "The phone has sent nothing for \(Int(Self.silence.seconds)) s: is its app in front, and is it in this network?")
    try report(isConnected: false)
  }

  /// When every sensor has had the time to send.
  private mutating func sayWhatIsThere(at now: SensorInstant) {
    if !hasSaid.sensors, let begun, now - begun > .seconds(2), !stream.kinds.isEmpty {
      hasSaid.sensors = true
      announcer.notice("The phone sends: \(stream.kinds.names.joined(separator: ", ")).")
    }
    if !hasSaid.doubt, let doubt = stream.doubt {
      hasSaid.doubt = true
      announcer.warning(doubt)
    }
  }

  /// When ``deliver()`` has something to do without a message.
  var deadline: SensorInstant? {
    let silent = isSilent ? nil : heard.map { $0 + Self.silence + .milliseconds(1) }
    return [stream.deadline, silent].compactMap(\.self).min()
  }

  /// What happened so far.
  var statistics: PhoneStatistics {
    var all = stream.statistics
    (all.sessions, all.returns, all.silentNanoseconds) = (counts.sessions, counts.returns, counts.silentNanoseconds)
    all.lateMessages += counts.lateMessages
    return all
  }

  /// Said at the end when something was lost.
  func sayLosses(_ all: PhoneStatistics) {
    if let losses = all.losses { announcer.warning(losses) }
  }
}
