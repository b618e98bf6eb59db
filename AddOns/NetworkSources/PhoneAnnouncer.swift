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
