// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath
package import MotionSensing

/// Measures an accelerometer's bias, scale and misalignment from positions in which the device lies still.
///
/// At rest an accelerometer measures gravity, so |specific force| is the same in every position. From the six positions
/// of ``DevicePose`` follow bias and scale of each axis; from twelve or more, in all directions, also how the axes lean
/// towards each other (``EllipsoidFit``). The positions need not be exact: only lengths count. What no length shows is
/// a rotation of all three axes together, such as that of a chip soldered in at an angle.
///
/// A position is taken when the readings have been quiet for ``Parameters/rest`` seconds, and half as long before, for
/// settling. One that is already there, or one that leans while the six are not complete, is refused with a reason.
package struct AccelerometerCalibrator: Sendable {
  /// What counts as a position.
  package struct Parameters: Sendable, Hashable {
    /// m/s²: the length of gravity here. Default the standard acceleration of free fall, 9.80665; on the earth's
    /// surface 9.764…9.834.
    package var gravity = standardGravity
    /// Positions wanted: 6, or 12 to 40. Default 6.
    package var positions = 6
    /// How far one of the six may lean, rad. Default 25°.
    var largestLean = Angle(degrees: 25).radians
    /// Seconds that a position is held. Default 1.
    package var rest = 1.0
    /// Largest standard deviation of the readings in half that time, and how far the two halves may differ, m/s².
    /// Default 0.15 and 0.1.
    package var largestDeviation = 0.15, agreement = 0.1
    /// How far further positions must lie from all others, rad. Default 20°.
    var smallestAngle = Angle(degrees: 20).radians
    /// How far the length may be from gravity's, relative. Default 0.3.
    package var largestError = 0.3
    /// Seconds without a sample after which a position starts again. Default 0.25.
    package var longestGap = 0.25

    /// The defaults.
    package init() {}
  }

  /// What a sample has brought; most bring nothing.
  package enum Event: Sendable, Hashable {
    /// A position is there; nil = one beyond the six.
    case taken(DevicePose?)
    /// The device lies in a position that is already there.
    case duplicate(DevicePose?)
    /// It lies still, but in none of the six positions.
    case leaning
    /// It lies still and reads m/s² that cannot be gravity.
    case implausible(Double)
  }

  /// What was measured.
  package struct Result: Sendable, Hashable {
    /// m/s², to be subtracted from readings.
    package var bias: Vector3<Device>
    /// Applied to what remains; symmetric, and diagonal when there are only six positions.
    package var matrix: Matrix3
    /// Root mean square of | |reading| − gravity | over the positions, m/s²: as it was, and after the correction. With
    /// six positions the latter is zero by construction.
    package var errorBefore, errorAfter: Double
    /// One standard error of the bias, of the axis where it is largest, m/s²: from the misfit where there are more
    /// positions than unknowns, else from the noise in each position.
    package var standardError: Double
  }

  /// One position.
  struct Position: Sendable {
    var pose: DevicePose?
    var mean: Vector3<Device>
    var standardError: Double
  }

  /// As given.
  package let parameters: Parameters
  private var positions: [Position] = []
  private var window: RestWindow
  /// Whether the stretch before was quiet: the first one may hold the end of the movement.
  private var isSettled = false
  /// The first half of a position's time.
  private var first: RestWindow.Stretch?
  /// True while the device still lies where the last event found it.
  private var isTold = false

  /// No position yet.
  package init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    window = RestWindow(length: parameters.rest / 2, longestGap: parameters.longestGap)
  }

  /// How many positions there are.
  package var positionCount: Int { positions.count }
  /// Which of the six are still missing, in the order in which to ask for them.
  package var missing: [DevicePose] {
    DevicePose.allCases.filter { pose in !positions.contains { $0.pose == pose } }
  }
  /// Whether there are as many positions as wanted.
  package var isComplete: Bool { missing.isEmpty && positionCount >= parameters.positions }

  /// Takes a sample.
  package mutating func update(_ sample: AccelerometerSample) -> Event? {
    guard let stretch = window.update(sample.specificForce, at: sample.time) else { return nil }
    guard stretch.deviation <= parameters.largestDeviation else {
      (first, isSettled, isTold) = (nil, false, false)
      return nil
    }
    guard isSettled else {
      isSettled = true
      return nil
    }
    guard let first, (stretch.mean - first.mean).length <= parameters.agreement else {
      if first != nil { isTold = false }
      first = stretch
      return nil
    }
    guard !isTold else { return nil }
    isTold = true
    return judge(first, stretch)
  }

  private mutating func judge(_ first: RestWindow.Stretch, _ second: RestWindow.Stretch) -> Event {
    let mean = (first.mean + second.mean) / 2
    guard abs(mean.length / parameters.gravity - 1) <= parameters.largestError else { return .implausible(mean.length) }
    let noise = max(first.deviation, second.deviation)
    let position = Position(
      pose: DevicePose(up: mean, within: parameters.largestLean), mean: mean,
      standardError: noise / Double(first.count + second.count).squareRoot())
    if let pose = position.pose, missing.contains(pose) {
      positions.append(position)
      return .taken(pose)
    }
    if !missing.isEmpty { return position.pose.map { .duplicate($0) } ?? .leaning }
    guard positions.allSatisfy({ $0.mean.angle(to: mean) >= parameters.smallestAngle }) else {
      return .duplicate(position.pose)
    }
    positions.append(Position(pose: nil, mean: mean, standardError: position.standardError))
    return .taken(nil)
  }

  /// The result of the positions so far; nil while one of the six is missing, or when they contradict each other.
  package var result: Result? {
    guard missing.isEmpty else { return nil }
    let readings = positions.map(\.mean)
    let shape = readings.count >= 12 ? EllipsoidFit.Shape.any : .alongAxes
    guard let fit = EllipsoidFit(readings, shape: shape, radius: parameters.gravity), fit.elongation < 2 else {
      return nil
    }
    func error(_ length: (Vector3<Device>) -> Double) -> Double {
      let squares = readings.reduce(0) { sum, reading in
        let error = length(reading) - parameters.gravity
        return sum + error * error
      }
      return (squares / Double(readings.count)).squareRoot()
    }
    // Of two opposite positions the bias is half the sum.
    let noise = (positions.map(\.standardError).max() ?? 0) / 2.0.squareRoot()
    return Result(
      bias: fit.centre, matrix: fit.matrix, errorBefore: error(\.length),
      errorAfter: error { (fit.matrix * ($0 - fit.centre)).length },
      standardError: max(noise, fit.centreDeviation ?? 0))
  }
}

/// Six ways in which a device can lie on a table, by the side that is on top.
package enum DevicePose: String, Sendable, Hashable, CaseIterable {
  case faceUp, faceDown, topUp, topDown, rightUp, leftUp

  private var facts: (up: Vector3<Device>, words: String) {
    switch self {
    case .faceUp: (Vector3(x: 0, y: 0, z: 1), "flat on its back, face up")
    case .faceDown: (Vector3(x: 0, y: 0, z: -1), "flat on its face")
    case .topUp: (Vector3(x: 0, y: 1, z: 0), "upright, its top edge up")
    case .topDown: (Vector3(x: 0, y: -1, z: 0), "upside down, its top edge down")
    case .rightUp: (Vector3(x: 1, y: 0, z: 0), "on its left side, the right edge up")
    case .leftUp: (Vector3(x: -1, y: 0, z: 0), "on its right side, the left edge up")
    }
  }

  /// The direction of specific force in device axes: up.
  package var up: Vector3<Device> { facts.up }
  /// What a person has to do: "flat on its back, face up".
  package var words: String { facts.words }

  /// The pose whose up is within `angle` (rad) of a direction; nil when it leans.
  init?(up: Vector3<Device>, within angle: Double) {
    guard let pose = Self.allCases.first(where: { $0.up.angle(to: up) <= angle }) else { return nil }
    self = pose
  }
}
