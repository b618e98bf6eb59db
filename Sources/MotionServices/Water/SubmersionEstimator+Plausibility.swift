// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

extension SubmersionEstimator {
  /// Tells a pressure from garbage: out of range, too fast, the same number for ever, or nothing at all.
  struct Plausibility: Sendable, Hashable {
    enum Verdict { case good, rejected, failed(SensorError), recovered }

    private(set) var isFailed = false
    /// Samples that were left out.
    private(set) var rejectedCount = 0
    private var lastGood: PressureSample?
    private var previous: PressureSample?
    private var rejectedSince: SensorInstant?
    private var goodSince: SensorInstant?
    private var sameSince: SensorInstant?
    private var sameCount = 0
    /// True from the recognition of a silence to the next sample.
    private(set) var isSilent = false
    private var heard: SensorInstant?
    /// Between the last two samples.
    private var interval: SensorDuration?

    /// What a sensor that has said nothing yet is given, in seconds: its pace is not known.
    private static let firstSilence = 30.0

    mutating func judge(_ sample: PressureSample, isSubmerged: Bool, _ parameters: Parameters) -> Verdict {
      defer { previous = sample }
      interval = previous.map { sample.time - $0.time }
      heard = sample.time
      isSilent = false
      let isFrozen = isFrozen(sample, isSubmerged: isSubmerged, parameters)
      // After a failure the last good value is history; then two neighbours must agree.
      let reference = isFailed ? previous : lastGood
      let isPlausible =
        parameters.plausiblePressures.contains(sample.pressure) && follows(sample, reference, parameters)
      guard isPlausible, !isFrozen else { return reject(sample, isFrozen: isFrozen, parameters) }
      let since = goodSince ?? sample.time
      goodSince = since
      let length = (sample.time - since).seconds
      if length >= parameters.rejectionTime / 2 { rejectedSince = nil }
      guard isFailed else {
        lastGood = sample
        return .good
      }
      guard length >= parameters.rejectionTime else { return .rejected }
      isFailed = false
      lastGood = sample
      return .recovered
    }

    /// The source's time has come to `time`: the error of a sensor that has been silent for too long, once.
    mutating func listen(until time: SensorInstant, _ parameters: Parameters) -> SensorError? {
      let since = heard ?? time
      heard = since
      let limit = interval.map { max(parameters.silenceTime, 3 * $0.seconds) } ?? Self.firstSilence
      guard !isSilent, (time - since).seconds > limit else { return nil }
      isSilent = true
      // Whoever comes back is compared with himself only.
      (previous, goodSince, rejectedSince, sameSince) = (nil, nil, nil, nil)
      // A sensor that raved before it fell silent has been reported.
      guard !isFailed else { return nil }
      isFailed = true
      return SensorError(
        .disconnected,
        "The depth sensor has said nothing for \(Int((time - since).seconds)) seconds, while other sensors of its device speak; check its "
          + "cable, or surface. Depth comes back when it does.")
    }

    private mutating func reject(_ sample: PressureSample, isFrozen: Bool, _ parameters: Parameters) -> Verdict {
      rejectedCount += 1
      goodSince = nil
      let since = rejectedSince ?? sample.time
      rejectedSince = since
      guard !isFailed, isFrozen || (sample.time - since).seconds >= parameters.rejectionTime else { return .rejected }
      isFailed = true
      let what =
        isFrozen
        ? "has delivered the same number for \(Int(parameters.frozenTime)) seconds or more"
        : "delivers numbers that no water pressure can be (now \(Int(sample.pressure)) Pa)"
      return .failed(
        SensorError(
          .implausible, "The depth sensor \(what); check its cable, or surface. Depth comes back when it recovers."))
    }

    private func follows(_ sample: PressureSample, _ reference: PressureSample?, _ parameters: Parameters) -> Bool {
      guard let reference else { return true }
      let change = abs(sample.pressure - reference.pressure)
      return change <= parameters.fastestChange * (sample.time - reference.time).seconds
    }

    private mutating func isFrozen(
      _ sample: PressureSample, isSubmerged: Bool, _ parameters: Parameters
    ) -> Bool {
      guard isSubmerged, let previous, previous.pressure == sample.pressure, let since = sameSince else {
        (sameSince, sameCount) = (sample.time, 1)
        return false
      }
      sameCount += 1
      return sameCount >= parameters.frozenSamples && (sample.time - since).seconds >= parameters.frozenTime
    }
  }
}
