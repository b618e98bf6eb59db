// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath
package import MotionSensing

/// Measures an accelerometer's bias and scale from six positions in which the device lies still.
///
/// At rest an accelerometer measures gravity, so |specific force| is the same in every position. From the six positions
/// of ``DevicePose`` follow bias and scale of each axis; they need not be exact: only lengths count. What they do not
/// show is how the axes lean towards each other, and a rotation of all three together, such as that of a chip soldered
/// in at an angle.
///
/// A position is taken when the readings have been quiet for ``Parameters/rest`` seconds, and half as long before, for
/// settling. One that is already there, or one that leans, is refused with a reason.
package struct AccelerometerCalibrator: Sendable {
  /// What counts as a position.
  package struct Parameters: Sendable, Hashable {
    /// m/s²: the length of gravity here. Default the standard acceleration of free fall, 9.80665; on the earth's
    /// surface 9.764…9.834.
    package var gravity = standardGravity
    /// How far a position may lean, rad. Default 25°.
    var largestLean = Angle(degrees: 25).radians
    /// Seconds that a position is held. Default 1.
    package var rest = 1.0
    /// Largest standard deviation of the readings in half that time, and how far the two halves may differ, m/s².
    /// Default 0.15 and 0.1.
    package var largestDeviation = 0.15, agreement = 0.1
    /// How far the length may be from gravity's, relative. Default 0.3.
    package var largestError = 0.3
    /// Seconds without a sample after which a position starts again. Default 0.25.
    package var longestGap = 0.25

    /// The defaults.
    package init() {}
  }

  /// What a sample has brought; most bring nothing.
  package enum Event: Sendable, Hashable {
    case taken(DevicePose)
    /// The device lies in a position that is already there.
    case duplicate
    /// It lies still, but in none of the six positions.
    case leaning
    /// It lies still and reads m/s² that cannot be gravity.
    case implausible(Double)
  }

  /// What was measured.
  package struct Result: Sendable, Hashable {
    /// m/s², to be subtracted from readings.
    package var bias: Vector3<Device>
    /// Applied to what remains; diagonal.
    package var matrix: Matrix3
    /// Root mean square of | |reading| − gravity | over the positions as they were, m/s²; the correction makes it zero.
    package var errorBefore: Double
    /// One standard error of the bias, of the axis where it is largest, m/s²: from the noise in each position.
    package var standardError: Double
  }

  /// What was collected so far.
  private struct State: Sendable {
    var positions: [DevicePose: (mean: Vector3<Device>, standardError: Double)] = [:]
    var window: RestWindow
    /// Whether the stretch before was quiet: the first one may hold the end of the movement.
    var isSettled = false
    /// The first half of a position's time.
    var first: RestWindow.Stretch?
    /// True while the device still lies where the last event found it.
    var isTold = false
  }

  /// As given.
  package let parameters: Parameters
  private var state: State

  /// No position yet.
  package init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    state = State(window: RestWindow(length: parameters.rest / 2, longestGap: parameters.longestGap))
  }

  /// How many positions there are.
  package var positionCount: Int { state.positions.count }
  /// Which of the six are still missing, in the order in which to ask for them.
  package var missing: [DevicePose] { DevicePose.allCases.filter { state.positions[$0] == nil } }
  package var isComplete: Bool { missing.isEmpty }

  /// Takes a sample.
  package mutating func update(_ sample: AccelerometerSample) -> Event? {
    guard let stretch = state.window.update(sample.specificForce, at: sample.time) else { return nil }
    guard stretch.deviation <= parameters.largestDeviation else {
      (state.first, state.isSettled, state.isTold) = (nil, false, false)
      return nil
    }
    guard state.isSettled else {
      state.isSettled = true
      return nil
    }
    guard let first = state.first, (stretch.mean - first.mean).length <= parameters.agreement else {
      if state.first != nil { state.isTold = false }
      state.first = stretch
      return nil
    }
    guard !state.isTold else { return nil }
    state.isTold = true
    return judge(first, stretch)
  }

  private mutating func judge(_ first: RestWindow.Stretch, _ second: RestWindow.Stretch) -> Event {
    let mean = (first.mean + second.mean) / 2
    guard abs(mean.length / parameters.gravity - 1) <= parameters.largestError else { return .implausible(mean.length) }
    guard let pose = DevicePose(up: mean, within: parameters.largestLean) else { return .leaning }
    guard state.positions[pose] == nil else { return .duplicate }
    let noise = max(first.deviation, second.deviation)
    state.positions[pose] = (mean, noise / Double(first.count + second.count).squareRoot())
    return .taken(pose)
  }

  /// The result of the six positions; nil while one is missing, or when they contradict each other.
  ///
  /// They lie on an ellipsoid along the axes, Σ sᵢ² (rᵢ − cᵢ)² = g²: linear in the factors of rᵢ² and rᵢ when the
  /// constant is 1. (Frosio, Pedersini & Borghese, "Autocalibration of MEMS Accelerometers", IEEE Trans. Instrum. Meas.
  /// 58(6), 2009, fit it with more positions.)
  package var result: Result? {
    let positions = DevicePose.allCases.compactMap { state.positions[$0] }
    guard positions.count == 6 else { return nil }
    var equations = LeastSquares(unknowns: 6)
    for (mean, _) in positions {
      // Everything of order one while it is computed.
      let r = mean / parameters.gravity
      equations.add([r.x * r.x, r.y * r.y, r.z * r.z, r.x, r.y, r.z, 0, 0, 0], equals: 1)
    }
    guard let x = equations.solution() else { return nil }
    let centre = (0..<3).map { -x[$0 + 3] / (2 * x[$0]) }
    let constant = 1 + (0..<3).reduce(0) { $0 + x[$1] * centre[$1] * centre[$1] }
    let scales = (0..<3).map { (x[$0] / constant).squareRoot() }
    guard let smallest = scales.min(), let largest = scales.max(), smallest > 0, largest < 2 * smallest else {
      return nil
    }
    let squares = positions.reduce(0) { sum, position in
      let error = position.mean.length - parameters.gravity
      return sum + error * error
    }
    // Of two opposite positions the bias is half the sum.
    let noise = (positions.map(\.standardError).max() ?? 0) / 2.0.squareRoot()
    return Result(
      bias: Vector3(x: centre[0], y: centre[1], z: centre[2]) * parameters.gravity,
      matrix: Matrix3(diagonal: scales[0], scales[1], scales[2]), errorBefore: (squares / 6).squareRoot(),
      standardError: noise)
  }
}

/// Six ways in which a device can lie on a table, by the side that is on top.
package enum DevicePose: String, Sendable, Hashable, CaseIterable {
  case faceUp, faceDown, topUp, topDown, rightUp, leftUp

  /// The direction of specific force in device axes: up.
  package var up: Vector3<Device> {
    switch self {
    case .faceUp: Vector3(x: 0, y: 0, z: 1)
    case .faceDown: Vector3(x: 0, y: 0, z: -1)
    case .topUp: Vector3(x: 0, y: 1, z: 0)
    case .topDown: Vector3(x: 0, y: -1, z: 0)
    case .rightUp: Vector3(x: 1, y: 0, z: 0)
    case .leftUp: Vector3(x: -1, y: 0, z: 0)
    }
  }

  /// What a person has to do: "flat on its back, face up".
  package var words: String {
    switch self {
    case .faceUp: "flat on its back, face up"
    case .faceDown: "flat on its face"
    case .topUp: "upright, its top edge up"
    case .topDown: "upside down, its top edge down"
    case .rightUp: "on its left side, the right edge up"
    case .leftUp: "on its right side, the left edge up"
    }
  }

  /// The pose whose up is within `angle` (rad) of a direction; nil when it leans.
  init?(up: Vector3<Device>, within angle: Double) {
    guard let pose = Self.allCases.first(where: { $0.up.angle(to: up) <= angle }) else { return nil }
    self = pose
  }
}
