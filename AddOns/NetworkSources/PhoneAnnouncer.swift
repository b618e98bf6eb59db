// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionNetwork
import MotionSensing
import PhoneFormats

/// Tells a person what happens with a phone: how to connect it, that it sends, that it has fallen silent.
final class PhoneAnnouncer: Sendable {
  /// A terminal shows what is said: QR codes may be in colour.
  private let hasColors: Bool
  let notice: @Sendable (String) -> Void
  let warning: @Sendable (String) -> Void
  private let invited = Lock("")

  init(
    hasColors: Bool = false, notice: @escaping @Sendable (String) -> Void = { _ in },
    warning: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.hasColors, self.notice, self.warning) = (hasColors, notice, warning)
  }

  /// Says how to connect a phone; below it the address of the page as a QR code. Once for each address: a service that
  /// starts again needs no second invitation.
  func invite(_ text: String, page: String) {
    let isNews = invited.withLock { invited in
      defer { invited = page }
      return invited != page
    }
    guard isNews else { return }
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

/// The stream of a running source: what is pushed is decided at once, so that the answer can say what became of it; the
/// samples wait for the source. Limited: when the source does not keep up, the answer to the phone says so.
final class PhoneInbox: Sendable {
  /// Samples and readings that wait, at most.
  static let capacity = 200_000

  private struct State {
    var stream: PhoneStream
    var samples: [SensorSample] = []
    /// What the answers so far have said.
    var answered = PhoneStatistics()
    var heard: SensorInstant?
  }

  let device: PhoneDevice
  private let clock: any SensorClock
  private let wake: WakeSignal
  private let state: Lock<State>

  init(_ options: PhoneOptions, session: SensorSession) {
    (device, clock, wake) = (options.device, session.clock, session.wake)
    state = Lock(State(stream: PhoneStream(device: options.device, units: options.units)))
  }

  /// What this message has changed, and whether it was taken; nil when there is no room.
  func put(_ message: SensorLoggerMessage) -> (account: PhoneStatistics, isTaken: Bool)? {
    let now = clock.now
    defer { wake.signal() }
    return state.withLock { state in
      let before = state.stream.statistics
      let waiting = state.samples.count + before.waiting
      guard waiting + message.readings.count <= Self.capacity else { return nil }
      let isTaken = state.stream.receive(message, at: now)
      if isTaken { state.heard = now }
      while let samples = state.stream.next(at: now) { state.samples += samples }
      return (state.stream.statistics.since(before), isTaken)
    }
  }

  /// What has become of readings since the last answer.
  func answer() -> PhoneStatistics {
    state.withLock { state in
      let past = state.answered
      state.answered = state.stream.statistics
      return state.answered.since(past)
    }
  }

  var statistics: PhoneStatistics { state.withLock { $0.stream.statistics } }

  /// What a source does next; `heard` is when messages were last taken.
  func take(at now: SensorInstant) -> (
    samples: [SensorSample], said: (notice: String?, warning: String?), heard: SensorInstant?, deadline: SensorInstant?
  ) {
    state.withLock { state in
      while let samples = state.stream.next(at: now) { state.samples += samples }
      defer { state.samples = [] }
      return (state.samples, state.stream.news(at: now), state.heard, state.stream.deadline)
    }
  }
}
