// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Adds up what was climbed and what was descended, and counts floors.
///
/// A height that wanders is no climb: the way counts from one turning point to the next, and a turning point is one
/// only when the height has come back from it by ``Parameters/reversal``. A floor is three metres of one climb,
/// landings in it, with half a metre of grace for low ceilings.
///
/// Weather counts too: over hours its slow metres become climbs and descents, as with every barometer.
package struct ClimbEstimator: Sendable, Hashable {
  /// The constants.
  package struct Parameters: Sendable, Hashable {
    /// Metres. Default 1.
    package var reversal = 1.0
    /// Metres. Default 3.
    package var floorHeight = 3.0
    /// Metres that a floor may be lower. Default 0.5.
    package var floorGrace = 0.5

    /// The defaults.
    package init() {}
  }

  /// As given.
  package let parameters: Parameters
  private var anchor: Double?
  private var extreme = 0.0
  /// 1 up, −1 down, 0 before the first leg.
  private var direction = 0.0
  private var finishedAscent = 0.0
  private var finishedDescent = 0.0
  private var finishedFloors = 0

  /// Nothing climbed yet.
  package init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Metres climbed, 0 or more.
  package var ascent: Double { finishedAscent + max(0, leg) }
  /// Metres descended, 0 or more.
  package var descent: Double { finishedDescent + max(0, -leg) }
  /// Floors climbed.
  package var floors: Int { finishedFloors + floors(in: leg) }

  /// From the last turning point to the farthest point since.
  private var leg: Double { direction == 0 ? 0 : extreme - (anchor ?? extreme) }

  private func floors(in leg: Double) -> Int {
    // fits: 0…10⁶, whatever a barometer says
    leg > 0 ? Int(min(1e6, (leg + parameters.floorGrace) / parameters.floorHeight)) : 0
  }

  /// Processes a height in metres.
  package mutating func update(_ height: Double) {
    guard height.isFinite else { return }
    guard let anchor else {
      (self.anchor, extreme) = (height, height)
      return
    }
    if direction == 0 {
      guard abs(height - anchor) >= parameters.reversal else { return }
      direction = height > anchor ? 1 : -1
      extreme = height
    } else if (height - extreme) * direction > 0 {
      extreme = height
    } else if (extreme - height) * direction >= parameters.reversal {
      finishedFloors += floors(in: leg)
      finishedAscent += max(0, leg)
      finishedDescent += max(0, -leg)
      (self.anchor, extreme, direction) = (extreme, height, -direction)
    }
  }
}
