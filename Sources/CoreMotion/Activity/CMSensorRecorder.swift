// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

/// Records the accelerometer for hours and hands the samples out later.
///
/// ```swift
/// let recorder = CMSensorRecorder()
/// recorder.recordAccelerometer(forDuration: 3600)
/// // … later, also in another program where `motionctl history record` runs:
/// let list = recorder.accelerometerData(from: Date(timeIntervalSinceNow: -3600), to: Date())
/// ```
///
/// Where the recorder of this computer runs (<doc:Recording>), it records all the time, for all programs, and keeps three
/// days. Where there is none, and for recordings and simulations, the program records in memory as long as it runs.
open class CMSensorRecorder: NSObject {
  private let hosts = ManagerHost()

  public override init() { super.init() }

  /// Whether the accelerometer can be recorded: where the source has one.
  open class func isAccelerometerRecordingAvailable() -> Bool {
    MotionHost.current.device(serving: .accelerometer) != nil
  }
  /// Whether the program may record.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionHost.current.clientAuthorization }
  /// Whether the program may record.
  @available(*, deprecated, message: "Use authorizationStatus().")
  open class func isAuthorizedForRecording() -> Bool { authorizationStatus() == .authorized }

  /// Records at 50 Hz for so many seconds from now, at most 43 200 (S73). Of several requests the one that ends last
  /// counts. Without accelerometer or permission the log says so (D43); no effect for a duration that is not above 0.
  open func recordAccelerometer(forDuration duration: TimeInterval) {
    let host = hosts.current
    host.requestAuthorization()
    guard host.policy.allowsMotion, host.device(serving: .accelerometer) != nil else {
      return host.refuse(
        "Nothing is recorded: \((host.policy.allowsMotion ? host.refusal(of: .accelerometer) : CMErrorNotAuthorized.error()).localizedDescription)"
      )
    }
    host.history.recordAccelerometer(for: duration)
  }

  /// The samples recorded between two dates, both included (S74), oldest first; empty where nothing was recorded. Each
  /// pass over the list reads the store again, ten seconds at a time.
  ///
  /// Nil when nothing has ever been recorded, without permission, for a range longer than 12 hours or one that ends
  /// before it begins, and when the store cannot be read; the log says why.
  open func accelerometerData(from fromDate: Date, to toDate: Date) -> CMSensorDataList? {
    let host = hosts.current
    host.requestAuthorization()
    guard host.policy.allowsMotion else { return nil }
    guard (0...HostHistory.longestRecording).contains(toDate.timeIntervalSince(fromDate)) else {
      host.report("Recorded samples are given out for at most 12 hours at a time, from a date to a later one.")
      return nil
    }
    do throws(SensorError) {
      guard let samples = try host.history.accelerometer(from: fromDate, to: toDate) else { return nil }
      return CMSensorDataList { Self.iterator(over: samples, of: host) }
    } catch {
      host.report(error.description)
      return nil
    }
  }

  private static func iterator(
    over samples: AccelerationSequence, of host: MotionHost
  ) -> AnyIterator<CMRecordedAccelerometerData> {
    var iterator = samples.makeIterator()
    return AnyIterator {
      guard let sample = iterator.next() else {
        if let failure = iterator.failure { host.report(failure.description) }
        return nil
      }
      return CMRecordedAccelerometerData(
        timestamp: sample.instant.seconds,
        acceleration: CoreMotionConventions.acceleration(sample.specificForce, unit: .metresPerSecondSquared),
        identifier: sample.identifier, startDate: sample.date)
    }
  }
}
