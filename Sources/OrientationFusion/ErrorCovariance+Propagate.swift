// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

extension ErrorCovariance {
  /// P ← F P Fᵀ for one block: the attitude takes in the gyroscope's errors, and a tilted gravity enters the velocity.
  mutating func propagate(_ sums: inout BlockSums) {
    addSensorErrors(&sums)
    tiltVelocity(lift: sums.velocity.z)
  }

  /// u_x += V_z θ_y, u_y −= V_z θ_x. The heading is left out on purpose: horizontal motion must not turn the azimuth.
  private mutating func tiltVelocity(lift v: Real) {
    let (east, north) = (ErrorIndex.velocity, ErrorIndex.velocity + 1)
    let (tiltEast, tiltNorth) = (element(1, east), element(0, north))
    let cross = element(1, north) - element(0, east) - v * element(0, 1)
    add(v * (2 * tiltEast + v * element(1, 1)), to: east)
    add(v * (v * element(0, 0) - 2 * tiltNorth), to: north)
    self[east, north] = element(east, north) + v * cross
    for i in 0..<3 {
      self[i, east] = element(i, east) + v * element(i, 1)
      self[i, north] = element(i, north) - v * element(i, 0)
    }
    var p = elements.mutableSpan
    for c in ErrorIndex.bias..<Self.stride {
      p[unchecked: east * Self.stride + c] += v * p[unchecked: Self.stride + c]
      p[unchecked: north * Self.stride + c] -= v * p[unchecked: c]
    }
  }
}
