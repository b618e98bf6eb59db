// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionHost
import MotionMath
import MotionSensing
import MotionServices

/// What Apple's systems hand out through another framework (SensorKit).
extension MotionHost {
  /// Whether there is a way to measure: `MOTION_LOCATION` names gpsd or a file with NMEA sentences.
  public var isOdometerAvailable: Bool { locationTrack != nil }

  /// The way of the device, one piece a second: a ``CMOdometerData`` with distance, speed, height gained and slope.
  ///
  /// ```swift
  /// for try await piece in MotionHost.current.odometerUpdates() { metres += piece.deltaDistance }
  /// ```
  ///
  /// From gpsd the pieces come as they are driven; of a file they come as fast as they are read. It ends with an error
  /// without a receiver (`CMErrorNotAvailable`), without permission (`CMErrorNotAuthorized`), or when the file cannot
  /// be read.
  public func odometerUpdates() -> AsyncThrowingStream<CMOdometerData, any Error> {
    requestAuthorization()
    guard policy.allowsMotion else {
      return .failing(CMErrorNotAuthorized.error("This program is not authorised to read the odometer."))
    }
    guard let fixes = positionFixes() else {
      return .failing(
        CMErrorNotAvailable.error(
          "There is no receiver of positions: set MOTION_LOCATION to gpsd: or to a file with NMEA sentences."))
    }
    return AsyncThrowingStream { continuation in
      let task = Task {
        var odometer = Odometer()
        do {
          for try await fix in fixes {
            if let piece = odometer.update(fix) { continuation.yield(CMOdometerData(piece)) }
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: (error as? SensorError)?.clientError ?? error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

extension AsyncThrowingStream where Failure == any Error {
  fileprivate static func failing(_ error: NSError) -> Self { Self { $0.finish(throwing: error) } }
}

extension CMOdometerData {
  /// A piece of way in Core Motion's terms: the receiver belongs to this device.
  fileprivate convenience init(_ piece: Odometer.Piece) {
    func date(_ time: SensorInstant) -> Date { Date(timeIntervalSince1970: time.seconds) }
    var values = Values(startDate: date(piece.start), endDate: date(piece.end), gpsDate: date(piece.end))
    (values.deltaDistance, values.deltaDistanceAccuracy) = (piece.distance, piece.distanceDeviation)
    (values.speed, values.speedAccuracy) = (piece.speed ?? 0, piece.speedDeviation ?? -1)
    (values.deltaAltitude, values.verticalAccuracy) = (piece.climb ?? 0, piece.climbDeviation ?? -1)
    values.originDevice = .local
    values.slopeDegrees = piece.slope.map { Angle(radians: $0).degrees }
    values.steepestSlopeDegrees = piece.steepestSlope.map { Angle(radians: $0).degrees }
    self.init(values)
  }
}
