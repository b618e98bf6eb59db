// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A fall, with what the person said about it. Only the fall-detection service makes these; clients cannot.
open class CMFallDetectionEvent: NSObject {
  /// How it ended.
  public enum UserResolution: Int, Sendable, BitwiseCopyable {
    /// The person said that it was a fall.
    case confirmed = 0
    /// The person said that they are fine.
    case dismissed = 1
    /// The person went on moving.
    case rejected = 2
    /// Neither an answer nor movement came.
    case unresponsive = 3
    /// Never a value: keeps a client's `default` behind all cases reachable (see ``CMAuthorizationStatus``).
    @available(*, unavailable) case _unlisted = -999
  }

  private let storedDate: Date
  private let storedResolution: UserResolution

  /// When the fall was detected. Two falls never have the same date, so that a repeated event can be told (S87).
  open var date: Date { storedDate }
  /// What the person said.
  open var resolution: UserResolution { storedResolution }

  /// An event from its values.
  package init(date: Date, resolution: UserResolution) {
    storedDate = date
    storedResolution = resolution
    super.init()
  }

  /// The class and its values by name; for people, not for programs.
  open override var description: String { "\(type(of: self))(date: \(date), resolution: \(resolution))" }
}
