// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The location service, which Linux programs have no common one of: authorisation is denied, services are not enabled,
/// and every start answers with one error to the delegate, on the main queue. No location is ever invented.
open class CLLocationManager: NSObject {
  /// Who is told of errors. Setting it reports the authorisation once, as on Apple's systems.
  open weak var delegate: (any CLLocationManagerDelegate)? {
    didSet {
      tell { manager, delegate in
        delegate.locationManagerDidChangeAuthorization(manager)
        delegate.locationManager(manager, didChangeAuthorization: .denied)
      }
    }
  }
  /// Metres. Kept; nothing reads it.
  open var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest
  /// Metres. Kept; nothing reads it.
  open var distanceFilter: CLLocationDistance = kCLDistanceFilterNone
  /// Degrees. Kept; nothing reads it.
  open var headingFilter: CLLocationDegrees = 1
  /// Kept; nothing reads it.
  open var headingOrientation: CLDeviceOrientation = .portrait
  /// Kept; nothing reads it.
  open var activityType: CLActivityType = .other
  /// Kept; nothing reads it.
  open var pausesLocationUpdatesAutomatically = true
  /// Kept; nothing reads it.
  open var allowsBackgroundLocationUpdates = false
  /// Kept; nothing reads it.
  open var showsBackgroundLocationIndicator = false

  /// Always nil.
  open var location: CLLocation? { nil }
  /// Always nil.
  open var heading: CLHeading? { nil }
  /// Always `denied`.
  open var authorizationStatus: CLAuthorizationStatus { .denied }
  /// Always `reducedAccuracy`.
  open var accuracyAuthorization: CLAccuracyAuthorization { .reducedAccuracy }
  /// Always empty.
  open var monitoredRegions: Set<CLRegion> { [] }

  /// Always `denied`.
  open class func authorizationStatus() -> CLAuthorizationStatus { .denied }
  /// Always false.
  open class func locationServicesEnabled() -> Bool { false }
  /// Always false: Core Motion's attitude has a heading where there is a magnetometer.
  open class func headingAvailable() -> Bool { false }
  /// Always false.
  open class func significantLocationChangeMonitoringAvailable() -> Bool { false }
  /// Always false.
  open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool { false }
  /// Always false.
  open class func isRangingAvailable() -> Bool { false }

  /// Asks nobody; the authorisation stays denied.
  open func requestWhenInUseAuthorization() {}
  /// Asks nobody; the authorisation stays denied.
  open func requestAlwaysAuthorization() {}
  /// Asks nobody; the handler gets `CLError.denied` on the main queue.
  open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    guard let completion else { return }
    DispatchQueue.main.async { completion(CLError(.denied)) }
  }
  /// Reports `CLError.denied`.
  open func requestLocation() { fail(.denied) }
  /// Reports `CLError.denied`.
  open func startUpdatingLocation() { fail(.denied) }
  /// Nothing runs that would stop.
  open func stopUpdatingLocation() {}
  /// Reports `CLError.headingFailure`.
  open func startUpdatingHeading() { fail(.headingFailure) }
  /// Nothing runs that would stop.
  open func stopUpdatingHeading() {}
  /// Nothing is shown that could be dismissed.
  open func dismissHeadingCalibrationDisplay() {}
  /// Reports `CLError.denied`.
  open func startMonitoringSignificantLocationChanges() { fail(.denied) }
  /// Nothing runs that would stop.
  open func stopMonitoringSignificantLocationChanges() {}
  /// Reports `CLError.denied`.
  open func startMonitoringVisits() { fail(.denied) }
  /// Nothing runs that would stop.
  open func stopMonitoringVisits() {}
  /// Reports `CLError.regionMonitoringDenied` to `monitoringDidFailFor`.
  open func startMonitoring(for region: CLRegion) {
    let region = Unchecked(region)
    tell {
      $1.locationManager($0, monitoringDidFailFor: region.value, withError: CLError(.regionMonitoringDenied))
    }
  }
  /// Nothing runs that would stop.
  open func stopMonitoring(for region: CLRegion) {}

  private func fail(_ code: CLError.Code) {
    tell { $1.locationManager($0, didFailWithError: CLError(code)) }
  }

  private func tell(_ message: @escaping @Sendable (CLLocationManager, any CLLocationManagerDelegate) -> Void) {
    let manager = Unchecked(WeakManager(manager: self))
    DispatchQueue.main.async {
      guard let manager = manager.value.manager, let delegate = manager.delegate else { return }
      message(manager, delegate)
    }
  }
}

/// Carries what the main queue alone will use.
///
/// `@unchecked Sendable`: it is made by one thread and opened on the main queue, once.
private struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

private struct WeakManager {
  weak var manager: CLLocationManager?
}
