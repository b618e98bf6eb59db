// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A source for tests that delivers a given list of samples, each on time, and then ends in a given way.
///
/// ```swift
/// let source = ScriptedSource([.accelerometer(first), .accelerometer(second)], ending: .returns)
/// ```
///
/// It delivers only its script: broken samples unchanged, without regard to the requested kinds. It waits on the
/// session's clock for the time of each sample. A later run skips samples that are not after `session.resumeAfter`.
public struct ScriptedSource: SensorSource {
  /// What happens after the last sample.
  public enum Ending: Sendable, Hashable {
    /// The run returns: the end of a recording.
    case returns
    /// The run throws: a device that fails.
    case fails(SensorError)
    /// The run continues without samples until it is stopped: a device that sends nothing.
    case staysSilent
  }

  /// Derived from the samples unless given.
  public let info: SensorInfo
  /// In the order of delivery; times on the session's clock.
  public let samples: [SensorSample]
  /// What happens after the last sample.
  public let ending: Ending

  /// A script; without an `info` the source is a simulation, on demand, with the kinds of its samples.
  public init(_ samples: [SensorSample], ending: Ending = .returns, info: SensorInfo? = nil) {
    self.samples = samples
    self.ending = ending
    self.info =
      info
      ?? SensorInfo(
        name: "simulated script", origin: .simulation, pacing: .onDemand, channels: [.init(kind: samples.kinds)])
  }

  /// Delivers the script.
  public func run(_ session: SensorSession) throws {
    for sample in samples {
      if let resumeAfter = session.resumeAfter, sample.time <= resumeAfter { continue }
      try session.wait(until: sample.time)
      try session.deliver(sample)
    }
    switch ending {
    case .returns: return
    case .fails(let error): throw error
    case .staysSilent:
      while !session.isStopped {
        // A free-running clock comes back at once; the signal alone then ends the wait.
        if session.clock.wait(until: SensorInstant(nanoseconds: .max), wake: session.wake) {
          _ = session.wake.wait(limit: nil)
        }
      }
      throw SourceStopped()
    }
  }
}
