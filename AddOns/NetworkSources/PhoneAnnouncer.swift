// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionNetwork
import MotionSensing
import PhoneFormats

/// Tells a person what happens with a phone: how to connect it, that it sends, that it has fallen silent.
struct PhoneAnnouncer: Sendable {
  /// A terminal shows what is said: QR codes may be in colour.
  var hasColors = false
  var notice: @Sendable (String) -> Void = { _ in }
  var warning: @Sendable (String) -> Void = { _ in }

  /// Says how to connect a phone; below it the address of the page as a QR code.
  func invite(_ text: String, page: String) {
    notice(text + (QRCode(page).map { "\n\n\($0.terminalText(hasColors: hasColors))" } ?? ""))
  }
}

/// When a phone was heard: tells a person that it has fallen silent, and that it is back.
struct PhoneHearing {
  /// After so long without a message the phone is silent: its screen is locked, its app closed, or its network gone.
  static let silence = SensorDuration.seconds(3)

  let announcer: PhoneAnnouncer
  /// What has to be in front on the phone: "page".
  let sender: String
  private(set) var heard: SensorInstant?
  private(set) var isSilent = false

  init(_ announcer: PhoneAnnouncer, of sender: String) { (self.announcer, self.sender) = (announcer, sender) }

  /// Something has come.
  mutating func hear(at now: SensorInstant) {
    if let heard, isSilent { announcer.notice("The phone sends again after \(Int((now - heard).seconds)) s.") }
    (heard, isSilent) = (now, false)
  }

  /// True when the phone has just fallen silent.
  mutating func notice(at now: SensorInstant) -> Bool {
    guard let heard, !isSilent, now - heard > Self.silence else { return false }
    isSilent = true
    announcer.notice(
      "The phone has sent nothing for \(Int(Self.silence.seconds)) s: is its \(sender) in front, and is it in this network?"
    )
    return true
  }

  /// When silence has to be noticed.
  var deadline: SensorInstant? { isSilent ? nil : heard.map { $0 + Self.silence + .milliseconds(1) } }
}

/// One run of a phone's source: what has arrived becomes samples, and a person hears what matters.
struct PhoneRun {
  /// Sessions of which late messages are known.
  private static let rememberedSessions = 8

  let session: SensorSession
  let device: PhoneDevice
  private let announcer: PhoneAnnouncer
  private var stream: PhoneStream
  private var sessions: [String] = []
  private var hearing: PhoneHearing
  /// When the present session began.
  private var begun: SensorInstant?
  private var hasSaid = (sensors: false, doubt: false)
  /// Messages of a session that is over.
  private var late = 0

  init(session: SensorSession, device: PhoneDevice, units: PhoneUnits, announcer: PhoneAnnouncer) {
    (self.session, self.device, self.announcer) = (session, device, announcer)
    stream = PhoneStream(device: device, units: units)
    hearing = PhoneHearing(announcer, of: "app")
  }

  /// Reports the connection of headphones, which come and go.
  func report(isConnected: Bool) throws(SourceStopped) {
    guard device == .headphones else { return }
    try session.report(ConnectionState(isConnected: isConnected))
  }

  /// Takes a message.
  mutating func receive(_ message: SensorLoggerMessage, at arrival: SensorInstant) throws(SourceStopped) {
    guard let number = message.number else { return }
    if sessions.last != message.session || sessions.isEmpty {
      guard !sessions.contains(message.session) else {
        late += 1
        return
      }
      if !sessions.isEmpty {
        stream.restart()
        hasSaid = (false, false)
      }
      begun = arrival
      sessions = Array((sessions + [message.session]).suffix(Self.rememberedSessions))
    }
    let wanted = device.sensors
    guard message.readings.contains(where: { wanted.contains($0.sensor) }) else {
      // Messages of the others are numbered, too.
      stream.receive([], number: number, at: arrival)
      return
    }
    if hearing.heard == nil || hearing.isSilent { try report(isConnected: true) }
    hearing.hear(at: arrival)
    stream.receive(message.readings, number: number, at: arrival, hasAccuracy: message.hasAccuracy)
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
    guard hearing.notice(at: now) else { return }
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
    [stream.deadline, hearing.deadline].compactMap(\.self).min()
  }

  /// What happened so far.
  var statistics: PhoneStatistics {
    var all = stream.statistics
    all.lateMessages += late
    return all
  }
}

/// What has arrived for a running source and was not taken yet, each with its time on the clock of the run. Limited:
/// when the source does not keep up, the answer to the phone says so.
final class PhoneInbox: Sendable {
  /// Messages, and readings in them.
  static let capacity = (messages: 256, readings: 200_000)

  let device: PhoneDevice
  private let clock: any SensorClock
  private let wake: WakeSignal
  private let state = Lock((messages: [(SensorLoggerMessage, SensorInstant)](), readings: 0))

  init(device: PhoneDevice, session: SensorSession) {
    (self.device, clock, wake) = (device, session.clock, session.wake)
  }

  /// False when there is no room.
  func put(_ message: SensorLoggerMessage) -> Bool {
    let now = clock.now
    let hasRoom = state.withLock { state in
      guard state.messages.count < Self.capacity.messages,
        state.readings + message.readings.count <= Self.capacity.readings
      else { return false }
      state.messages.append((message, now))
      state.readings += message.readings.count
      return true
    }
    if hasRoom { wake.signal() }
    return hasRoom
  }

  func takeAll() -> [(message: SensorLoggerMessage, arrival: SensorInstant)] {
    state.withLock { state in
      defer { state = ([], 0) }
      return state.messages
    }
  }
}
