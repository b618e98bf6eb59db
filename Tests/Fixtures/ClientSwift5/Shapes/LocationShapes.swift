// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import OtherLocationNames

// Core Location's names with this module and another that brings them too (G40).

final class FakeOdometerData: CMOdometerData {
  override var deltaDistance: CLLocationDistance { 12 }
  override var speed: CLLocationSpeed { 3 }
  override var slope: Double? { 4 }
}

struct Way {
  var distance: CLLocationDistance
  var accuracy: CLLocationAccuracy
  var start: CLLocationCoordinate2D

  init(_ data: CMOdometerData) {
    distance = data.deltaDistance
    accuracy = data.deltaDistanceAccuracy
    start = CLLocationCoordinate2D(latitude: 48, longitude: 11)
  }
}

@MainActor
func locationShapes(_ runner: Runner) {
  runner.check("location units from two modules") {
    let data: CMOdometerData = FakeOdometerData()
    let speed: CLLocationSpeed = data.speed
    let uncertainty: CLLocationSpeedAccuracy = data.speedAccuracy
    return Way(data).distance == 12 && speed == 3 && uncertainty < 0 && Way(data).accuracy < 0
  }
}
