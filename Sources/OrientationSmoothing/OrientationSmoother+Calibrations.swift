// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion

extension OrientationSmoother {
  /// The calibrations of the magnetometer that hold in a window, block by block.
  ///
  /// A calibration is best at its end, when it has seen most; and it held before it was found. So each block has the
  /// latest one until the calibration was lost, and the blocks before the first have that.
  struct Calibrations: Sendable {
    /// Hard iron that a calibration leaves in the readings, T, and its 1σ, T: infinite where no calibration is near.
    struct Known: Sendable {
      var change: Vector3<Device> = .zero
      var deviation = Double.infinity
    }

    /// Of each block.
    var known: [Known]
    /// One over the strength of the field, 1/T, and its parts, relative.
    private(set) var scale = 0.0, north = 0.0, down = 0.0

    /// Whether the field has a direction.
    var hasField: Bool { scale > 0 }

    /// `scale`: that of the windows before, whose knowledge is relative to it.
    init(_ blocks: [Block], scale earlier: Double?) {
      known = blocks.map { Known(change: $0.calibrationChange, deviation: $0.hardIronDeviation) }
      var latest = Known()
      var wasKnown = false
      for i in blocks.indices.reversed() {
        let isKnown = blocks[i].hardIronDeviation < .infinity
        if isKnown, !wasKnown { latest = known[i] }
        wasKnown = isKnown
        known[i] = latest
      }
      var (sum, count) = ((horizontal: 0.0, vertical: 0.0), 0.0)
      for (block, known) in zip(blocks, known) where known.deviation < .infinity {
        guard let field = block.field else { continue }
        // The inclination is enough for strength and dip.
        let mean =
          field.mean + field.rotation * Vector3<EastNorthUp>(known.change - block.calibrationChange)
        sum.horizontal += Scalar.hypot(mean.x, mean.y)
        sum.vertical += mean.z
        count += 1
      }
      let strength = Scalar.hypot(sum.horizontal, sum.vertical)
      guard count > 0, strength > 1e-6 * count, sum.horizontal > 0.03 * strength else { return }
      scale = earlier ?? count / strength
      (north, down) = (sum.horizontal * scale / count, -sum.vertical * scale / count)
    }

    /// Whether another calibration holds in a block than in the one before.
    func isChanged(_ block: Int) -> Bool { block > 0 && known[block].change != known[block - 1].change }

    /// Of the hard iron that `calibration` leaves, relative to the field.
    func hardIronVariance(_ calibration: Known, parameters: OrientationFilter.Parameters) -> Double {
      let deviation = max(
        parameters.hardIronDeviation, calibration.deviation < .infinity ? calibration.deviation * scale : 0)
      return deviation * deviation
    }
  }
}
