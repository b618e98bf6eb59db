// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
import MotionMath
package import MotionSensing
import MotionServices

/// Turns the times of samples into dates, for what carries a `Date` in place of a time stamp.
///
/// Three kinds of time lines:
/// * One that counts from 1970, as recordings of some apps do, holds its dates itself.
/// * A sensor of this computer counts CLOCK_MONOTONIC, which stands still while the computer sleeps. Its dates follow
///   the wall clock: a sleep moves the samples after it, and a wall clock that is set moves all, so that dates have
///   neither gaps nor doubles.
/// * Any other is tied to the wall clock once, at its first sample; from then on dates advance exactly as the samples'
///   times do.
package struct SampleDates: Sendable {
  /// The system's clocks at one moment, in nanoseconds.
  package struct Reading: Sendable {
    /// Without and with the time asleep.
    package var monotonic, boot: Int64
    /// From 1970.
    package var wall: Int64

    package static var now: Reading {
      func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
      }
      return Reading(
        monotonic: read(CLOCK_MONOTONIC), boot: read(CLOCK_BOOTTIME), wall: read(CLOCK_REALTIME))
    }
  }

  private enum Kind {
    case unix
    case system
    /// Nanoseconds from 1970 to the zero of the samples' clock.
    case tied(origin: Int64)
  }

  /// Ns: 1980 on a time line from 1970; no machine has been running for ten years.
  private static let leastUnixTime: Int64 = 315_532_800_000_000_000
  /// Ns: a sample of this computer is not older, nor from the future.
  private static let largestAge: Int64 = 60_000_000_000
  /// Ns by which two readings of the clocks may differ without meaning.
  private static let tolerance: Int64 = 100_000_000

  private let isLive: Bool
  private let read: @Sendable () -> Reading
  private let name = UUID().uuidString
  private var kind: Kind?
  /// The wall clock at the start of the computer, as it is known now.
  private var wallAtBoot: Int64 = 0
  /// Time asleep, from a time on CLOCK_MONOTONIC on.
  private var sleeps: [(from: Int64, asleep: Int64)] = []
  private var lastReading: Int64 = 0
  private var lastLine: TimeLine?

  /// `isLive`: the source is hardware.
  package init(isLive: Bool = false, read: @escaping @Sendable () -> Reading = { .now }) {
    (self.isLive, self.read) = (isLive, read)
  }

  /// Ties a time line of which nothing is known to a date, unless it holds its dates itself.
  mutating func tie(_ time: SensorInstant, to date: Date) {
    guard kind == nil, !isLive, time.nanoseconds < Self.leastUnixTime,
      let present = SensorInstant(seconds: date.timeIntervalSince1970)
    else { return }
    kind = .tied(origin: present.nanoseconds &- time.nanoseconds)
  }

  /// The date of a sample. The first call decides which kind of time line it is.
  package mutating func date(of time: SensorInstant) -> Date {
    Date(timeIntervalSince1970: Double(origin(of: time).origin &+ time.nanoseconds) / 1e9)
  }

  /// The time line on which a sample lies, for the history; `source` distinguishes recordings and is always the same.
  package mutating func line(of time: SensorInstant, source: String) -> TimeLine {
    let (origin, asleep) = origin(of: time)
    // Asked for at every sample: a new one only after a sleep, or when the wall clock was set.
    if let lastLine, lastLine.origin == origin / 1000, lastLine.asleep == asleep / 1000 { return lastLine }
    let clock =
      switch kind {
      case .system: Self.bootIdentifier
      case .unix: "1970 \(source)"
      case .tied, nil: "\(name) \(source)"
      }
    let line = TimeLine(clock: clock, origin: origin / 1000, asleep: asleep / 1000)
    lastLine = line
    return line
  }

  /// Whether times are those of this computer's clock.
  package var followsSystemClock: Bool { if case .system = kind { true } else { false } }

  /// Nanoseconds from 1970 to the zero of the samples' clock, as of a sample, and the time asleep in it.
  private mutating func origin(of time: SensorInstant) -> (origin: Int64, asleep: Int64) {
    switch kind {
    case .unix: return (0, 0)
    case .tied(let origin): return (origin, 0)
    case .system: follow(read())
    case nil:
      let now = read()
      if time.nanoseconds >= Self.leastUnixTime {
        kind = .unix
        return (0, 0)
      }
      guard isLive, now.monotonic.clamped(minus: time.nanoseconds).magnitude <= Self.largestAge else {
        let origin = now.wall &- time.nanoseconds
        kind = .tied(origin: origin)
        return (origin, 0)
      }
      kind = .system
      wallAtBoot = now.wall - now.boot
      sleeps = [(.min, now.boot - now.monotonic)]
      lastReading = now.monotonic
    }
    let asleep = sleeps.last { $0.from <= time.nanoseconds }?.asleep ?? 0
    return (wallAtBoot + asleep, asleep)
  }

  private mutating func follow(_ now: Reading) {
    let asleep = now.boot - now.monotonic
    if asleep - (sleeps.last?.asleep ?? 0) > Self.tolerance { sleeps.append((lastReading, asleep)) }
    if abs(now.wall - now.boot - wallAtBoot) > Self.tolerance { wallAtBoot = now.wall - now.boot }
    lastReading = now.monotonic
  }

  /// Distinguishes this start of the computer from others; of a system without it, at least from other processes.
  private static let bootIdentifier: String = {
    let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? UUID().uuidString
  }()
}

/// One mapping between the times of a run and dates. Services, history and questions of one host share it, also where
/// the time of a recording or a simulation runs at another speed than the wall clock.
extension MotionHost {
  /// The date of a sample of this host's device.
  package func date(of time: SensorInstant) -> Date { dates.withLock { $0.date(of: time) } }

  /// The date of a sample of the headphones, which have a clock of their own: it is tied to that of the device.
  package func headphonesDate(of time: SensorInstant) -> Date {
    let now = now
    return headphonesDates.withLock { dates in
      dates.tie(time, to: now)
      return dates.date(of: time)
    }
  }

  /// The run's now: the wall clock's for hardware, else the date that the time of the source has reached.
  package var now: Date {
    guard let device, device.info.origin != .hardware else { return Date() }
    return date(of: device.now)
  }

  /// What a client's date means: one in the present of the wall clock, as `Date()` gives it, is the run's now (D44).
  package func onRun(_ date: Date) -> Date {
    guard let device, device.info.origin != .hardware, abs(date.timeIntervalSinceNow) < 1 else { return date }
    return now
  }
}
