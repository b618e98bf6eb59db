// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// A client's model as an app has it, in Swift 5 and in Swift 6 mode from the same file: every neighbour beside Core
// Motion.

import Combine
import CoreGraphics
import CoreLocation
import CoreMotion
import Foundation
import OSLog
import QuartzCore
import SwiftUI
import UIKit
import WatchKit
import os
import os.log
import simd

@MainActor
final class Recorder: NSObject, ObservableObject {
  @Published var steps = 0
  @Published var distance: CLLocationDistance = 0
  @Published private(set) var attitude = simd_quatd(ix: 0, iy: 0, iz: 0, r: 1)

  let samples = PassthroughSubject<CMAcceleration, Never>()
  private let manager = CMMotionManager()
  private let locations = CLLocationManager()
  private let logger = Logger(subsystem: "org.example.recorder", category: "motion")
  private var subscriptions = Set<AnyCancellable>()

  func start() {
    locations.desiredAccuracy = kCLLocationAccuracyBestForNavigation
    locations.distanceFilter = kCLDistanceFilterNone
    locations.requestWhenInUseAuthorization()
    samples
      .receive(on: DispatchQueue.main)
      .map { simd_double3($0.x, $0.y, $0.z) }
      .filter { simd_length($0) > 1.2 }
      .sink { [weak self] _ in self?.steps += 1 }
      .store(in: &subscriptions)
    NotificationCenter.default.publisher(for: UIDevice.orientationDidChangeNotification)
      .sink { [weak self] _ in self?.turn() }
      .store(in: &subscriptions)
    logger.info("Started at \(CACurrentMediaTime(), privacy: .public) on \(UIDevice.current.systemName)")
    os_log("%{public}@ %d", log: .default, type: .debug, "Steps", steps)
  }

  func turn() {
    let vector = CGVector(dx: 1, dy: 0)
    switch UIDevice.current.orientation {
    case .landscapeLeft, .landscapeRight: attitude = simd_quatd(angle: Double(vector.dx), axis: [0, 0, 1])
    case .portrait, .portraitUpsideDown, .faceUp, .faceDown, .unknown: break
    @unknown default: break
    }
    if WKInterfaceDevice.current().wristLocation == .right { attitude = attitude.inverse }
  }

  func moved(from old: CLLocation, to new: CLLocation) {
    distance += new.distance(from: old)
  }
}

final class Follower: NSObject, CLLocationManagerDelegate {
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
  func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    if let error = error as? CLError, error.code == .denied { print(error.localizedDescription) }
  }
}
