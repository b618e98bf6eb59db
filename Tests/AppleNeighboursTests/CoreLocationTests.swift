// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreLocation
import Foundation
import Testing

@Suite struct CoreLocationTests {
  @Test func `A minute of latitude at the pole is longer than at the equator`() {
    let pole = CLLocation(latitude: 89, longitude: 0).distance(from: CLLocation(latitude: 90, longitude: 0))
    let equator = CLLocation(latitude: 0, longitude: 0).distance(from: CLLocation(latitude: 1, longitude: 0))
    // A degree of the meridian of WGS 84 at both ends.
    #expect(abs(pole - 111_694) < 1)
    #expect(abs(equator - 110_574) < 1)
  }

  @Test func `A place has no distance from itself, and opposite places have half a meridian`() {
    let place = CLLocation(latitude: 10, longitude: 20)
    #expect(place.distance(from: place) == 0)
    let opposite = CLLocation(latitude: -10, longitude: -160)
    #expect(abs(place.distance(from: opposite) / 20_003_931 - 1) < 0.006)
  }

  @Test func `A distance is the same in both directions`() {
    let berlin = CLLocation(latitude: 52.52, longitude: 13.405)
    let sydney = CLLocation(latitude: -33.87, longitude: 151.21)
    #expect(abs(berlin.distance(from: sydney) - sydney.distance(from: berlin)) < 1e-3)
  }

  @Test func `A circle holds its middle and no place beyond its radius`() {
    let middle = CLLocationCoordinate2D(latitude: 52, longitude: 13)
    let circle = CLCircularRegion(center: middle, radius: 1000, identifier: "circle")
    #expect(circle.contains(middle))
    #expect(!circle.contains(CLLocationCoordinate2D(latitude: 52.01, longitude: 13)))
  }

  @Test func `Nothing is authorised, enabled or invented`() {
    let manager = CLLocationManager()
    #expect(manager.authorizationStatus == .denied)
    #expect(CLLocationManager.authorizationStatus() == .denied)
    #expect(!CLLocationManager.locationServicesEnabled())
    #expect(!CLLocationManager.headingAvailable())
    #expect(manager.location == nil)
    #expect(manager.heading == nil)
  }

  @MainActor final class Delegate: NSObject, @preconcurrency CLLocationManagerDelegate {
    var codes: [CLError.Code] = []
    var changes = 0
    var places = 0

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
      if let error = error as? CLError { codes.append(error.code) }
    }
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) { changes += 1 }
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) { places += 1 }
  }

  @MainActor @Test func `Every start answers with an error, and with no place`() async throws {
    let manager = CLLocationManager()
    let delegate = Delegate()
    manager.delegate = delegate
    manager.startUpdatingLocation()
    manager.requestLocation()
    manager.startUpdatingHeading()
    for _ in 0..<200 where delegate.codes.count < 3 { try await Task.sleep(for: .milliseconds(10)) }
    #expect(delegate.codes == [.denied, .denied, .headingFailure])
    #expect(delegate.changes == 1)
    #expect(delegate.places == 0)
  }

  @Test func `An error is told by its code and by its domain`() {
    let error: any Error = CLError(.denied)
    #expect((error as NSError).domain == kCLErrorDomain)
    #expect((error as NSError).code == 1)
    #expect((error as? CLError)?.code == .denied)
  }

  @Test func `Coordinates beyond the poles are not valid`() {
    #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
    #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(90, -180)))
  }

  @Test func `An error is recognised by its code in a switch and in a catch`() {
    func kind(_ error: any Error) -> String {
      switch error {
      case CLError.denied: "denied"
      case CLError.headingFailure: "no heading"
      default: "another"
      }
    }
    #expect(kind(CLError(.denied)) == "denied")
    #expect(kind(CLError(.headingFailure)) == "no heading")
    #expect(kind(CocoaError(.fileNoSuchFile)) == "another")
    #expect((CLError(.denied) as NSError).code == CLError.Code.denied.rawValue)
    #expect((CLError(.denied) as NSError).domain == kCLErrorDomain)
  }

  @Test func `The accuracy of places cannot be asked for, and nobody knows where a place comes from`() async {
    let error = await withCheckedContinuation { continuation in
      CLLocationManager().requestTemporaryFullAccuracyAuthorization(withPurposeKey: "walk") {
        continuation.resume(returning: $0)
      }
    }
    #expect((error as? CLError)?.code == .denied)
    #expect(CLLocation(latitude: 1, longitude: 2).sourceInformation == nil)
  }
}
