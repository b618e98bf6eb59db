// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Idioms that stand in many an app: what compiles there has to compile here.

import Combine
import CoreLocation
import CoreMotion
import Foundation
import UIKit
import os
import simd

private let log = Logger(subsystem: "org.example.recorder", category: "idioms")
private let points = OSLog(subsystem: "org.example.recorder", category: .pointsOfInterest)

func logged(_ value: Double, _ text: String, _ error: any Error, _ count: Int) {
  log.info("\(value, format: .fixed(precision: 2), privacy: .public) \(text, privacy: .private(mask: .hash))")
  log.debug(
    "\(count, align: .right(columns: 5)) \(count, format: .hex) \(error.localizedDescription, privacy: .public)")
  os_log("%{public}@ %d %.2f", log: points, type: .debug, text, count, value)
  os_log(.debug, log: points, "hello \(text)")
}

func explained(_ error: any Error) -> String {
  switch error {
  case CLError.denied: return "denied"
  case CLError.locationUnknown: return "unknown"
  default: return error.localizedDescription
  }
}

func turned(_ quaternion: CMQuaternion, _ acceleration: CMAcceleration) -> Float {
  let rotation = simd_quatd(ix: quaternion.x, iy: quaternion.y, iz: quaternion.z, r: quaternion.w)
  let turned = rotation.act(simd_double3(acceleration.x, acceleration.y, acceleration.z))
  let view = matrix_identity_float4x4.inverse * simd_float4x4(simd_quatf(angle: .pi, axis: [0, 1, 0]))
  return Float(simd_length(turned)) + view.columns.3.w + reduce_add(abs(vector_float3(1, -2, 3)))
}

final class Smoother: ObservableObject {
  @Published var roll = 0.0
  let samples = PassthroughSubject<CMDeviceMotion, Never>()
  private var subscriptions = Set<AnyCancellable>()

  init() {
    samples.map(\.attitude.roll).receive(on: DispatchQueue.main).assign(to: &$roll)
    $roll.removeDuplicates().debounce(for: .seconds(1), scheduler: RunLoop.main)
      .sink { log.notice("\($0)") }.store(in: &subscriptions)
    Timer.publish(every: 1, on: .main, in: .common).autoconnect()
      .sink { _ in }.store(in: &subscriptions)
    NotificationCenter.default.publisher(for: UIDevice.orientationDidChangeNotification)
      .sink { _ in }.store(in: &subscriptions)
  }
}
