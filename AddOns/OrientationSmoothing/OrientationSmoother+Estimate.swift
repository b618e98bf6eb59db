// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion

// The equations of a window and their solution. Documentation/Filter.md 18.
extension OrientationSmoother {
  /// Where the solver's drifting unknowns begin, after turn and velocity of two nodes.
  private enum Column {
    static let bias = 2 * Estimate.local, hardIron = bias + 3, field = hardIron + 3
  }

  /// Nil when there is no solution in finite numbers. With `kept`, a node, what is known until there is kept for the
  /// next window.
  mutating func estimate(keepingAfter kept: Int?) -> Estimate? {
    var estimate = firstEstimate(usesMagnetometer ? North(blocks, unit: coefficients.fieldUnit) : nil)
    // A window that has another kind of unknowns begins without knowledge.
    if let earlier, earlier.estimate.width != estimate.width { self.earlier = nil }
    var solver = ChainSolver(
      local: Estimate.local, drifting: estimate.width - Estimate.local, constant: estimate.constant.count,
      nodes: blocks.count + 1)
    var knowledge: [Double]?
    for iteration in 1...max(1, parameters.iterations) {
      begin(&solver, estimate)
      var (fieldAge, driftAge) = (0.0, 0.0)
      var misfits = Array(repeating: 0.0, count: blocks.count)
      for node in blocks.indices {
        if driftAge >= Self.driftTime || node == kept && driftAge > 0 {
          drift(node, driftAge, estimate, in: &solver)
          driftAge = 0
        }
        driftAge += blocks[node].duration
        if node == kept { knowledge = solver.knowledge }
        add(blocks[node], node, estimate, to: &solver)
        if estimate.hasHeading {
          fieldAge += blocks[node].duration
          if let misfit = addField(node, estimate, age: min(1, fieldAge), to: &solver) {
            (misfits[node], fieldAge) = (misfit, 0)
          } else if node > 0 {
            misfits[node] = misfits[node - 1]
          }
        }
        solver.eliminateNode()
      }
      let (constant, nodes) = solver.solve()
      guard let largest = estimate.move(by: constant, nodes) else { break }
      guard largest < Self.smallestStep || iteration == parameters.iterations else { continue }
      estimate.variances = Array(repeating: (0, 0), count: blocks.count + 1)
      solver.variances { node, x, y, z in estimate.variances[node] = (x + y, z) }
      addDoubts(to: &estimate, misfits)
      if let kept, let knowledge {
        // Of the last iteration, relative to the values before it.
        earlier = (knowledge, estimate.only(kept, before: constant, nodes))
      }
      return estimate
    }
    earlier = nil
    return nil
  }

  /// What the covariance takes for white noise, or does not know at all.
  private func addDoubts(to estimate: inout Estimate, _ misfits: [Double]) {
    // The field differs from place to place: half of what the filter adds, from either side.
    let smoothing = coefficients.spreadTime
    var spread = 0.0
    func visit(_ node: Int) {
      let block = blocks[node]
      if estimate.hasHeading {
        spread += (misfits[node] - spread) * min(1, block.duration / smoothing)
        let north = estimate.field(node).north
        estimate.variances[node].heading += 0.5 * coefficients.statedSpread * spread / max(north * north, 1e-3)
      }
    }
    spread = misfits.first ?? 0
    for node in blocks.indices { visit(node) }
    spread = misfits.last ?? 0
    for node in blocks.indices.reversed() { visit(node) }
    // The last node is the end of the last block.
    let (before, last) = (estimate.variances[blocks.count - 1], estimate.variances[blocks.count])
    estimate.variances[blocks.count] = (max(last.inclination, before.inclination), max(last.heading, before.heading))
  }

  /// rad, 0.3°: what follows such a step is a tenth of it.
  private static var smallestStep: Double { 5e-3 }

  /// s; between two steps the errors of the sensors and the field count as constant.
  private static var driftTime: Double { 2 }

  /// The velocity that remains fades with this time, s, and its random walk, (m/s)²/s: what is not a hand's.
  private static var velocityMemory: Double { 5 }
  static var velocityDriftVariance: Double { 0.012 * 0.012 }

  // MARK: Start

  /// The filter's own history, turned to north, with the latest knowledge of the sensors.
  private func firstEstimate(_ north: North?) -> Estimate {
    let width = north == nil ? 8 : 13
    let last = blocks[blocks.count - 1]
    let matrix = last.matrix.elements
    var constant = (0..<9).map { matrix[$0] }
    if north != nil { constant.append(start.delay) }
    func turned(_ attitude: Rotation<Device, EastNorthUp>, _ block: Int) -> Rotation<Device, EastNorthUp> {
      guard let north else { return attitude }
      return Rotation<EastNorthUp, EastNorthUp>(aboutZ: north.turns[block]) * attitude
    }
    var estimate = Estimate(
      width: width,
      attitudes: blocks.indices.map { turned(blocks[$0].start, $0) } + [turned(last.end, blocks.count - 1)],
      values: Array(repeating: 0, count: width * (blocks.count + 1)), constant: constant, hasHeading: north != nil)
    for node in 0...blocks.count {
      let block = blocks[min(node, blocks.count - 1)]
      let x = node * width
      let bias = last.bias
      (estimate.values[x + 5], estimate.values[x + 6], estimate.values[x + 7]) = (bias.x, bias.y, bias.z)
      guard let north else { continue }
      let iron = block.hardIron * (1 / coefficients.fieldUnit)
      for i in 0..<3 { estimate.values[x + 8 + i] = iron.component(i) }
      (estimate.values[x + 11], estimate.values[x + 12]) = (north.north, north.down)
    }
    return estimate
  }

  /// What is known before the first equation: from earlier windows, or of sensors of this kind.
  private func begin(_ solver: inout ChainSolver, _ estimate: Estimate) {
    if let earlier {
      solver.begin(with: earlier.knowledge)
      let old = earlier.estimate
      let turn = (estimate.attitudes[0] * old.attitudes[0].inverse).rotationVector
      var step = [turn.x, turn.y, turn.z]
      for i in 3..<estimate.width { step.append(estimate.values[i] - old.values[i]) }
      for i in old.constant.indices { step.append(estimate.constant[i] - old.constant[i]) }
      return solver.move(by: step)
    }
    solver.begin()
    func know(_ column: Int, _ value: Double, _ variance: Double) {
      solver.add(.init(column, 1), residual: value, variance: variance)
    }
    for i in 0..<2 { know(i, 0, 0.25) }
    // Without a field the azimuth is right by definition.
    know(2, 0, estimate.hasHeading ? 10 : 1e-12)
    for i in 3..<5 { know(i, estimate.values[i], 0.01) }
    let bias = estimate.errors(0).bias - start.bias
    for i in 0..<3 { know(Column.bias + i, bias.component(i), start.variances[i]) }
    let matrix = start.matrix.elements
    let first = estimate.constantColumn
    for i in 0..<9 { know(first + i, estimate.constant[i] - matrix[i], start.variances[3 + i]) }
    guard estimate.hasHeading, let last = blocks.last else { return }
    know(first + 9, estimate.constant[9] - start.delay, start.variances[12])
    for i in 0..<2 { know(Column.field + i, 0, 1) }
    let prior = last.hardIronPrior / (coefficients.fieldUnit * coefficients.fieldUnit)
    for i in 0..<3 { know(Column.hardIron + i, estimate.values[8 + i], prior) }
  }

  // MARK: Gyroscope and accelerometer

  private func add(_ block: Block, _ node: Int, _ estimate: Estimate, to solver: inout ChainSolver) {
    let (n, first) = (Estimate.local, estimate.constantColumn)
    let x = estimate.values.span
    let (here, next) = (node * estimate.width, (node + 1) * estimate.width)
    let bias = estimate.errors(node).bias
    let world = estimate.attitudes[node] * block.start.inverse
    let time = max(block.duration, 1e-3)

    // The attitude follows the gyroscope.
    let turn = world * block.turn(bias: bias, matrix: estimate.matrix)
    let predicted = Rotation<EastNorthUp, EastNorthUp>(rotationVector: turn)
    let error = (estimate.attitudes[node + 1] * (predicted * world * block.end).inverse).rotationVector
    let r = world.matrix.elements
    let sensitivity = block.sensitivity.span
    for i in 0..<3 {
      var slopes = InlineArray<12, Double>(repeating: 0)
      for j in 0..<12 {
        for k in 0..<3 { slopes[j] += r[3 * i + k] * Double(sensitivity[unchecked: 12 * k + j]) }
      }
      var equation = ChainSolver.Equation(i, -1)
      equation.append(n + i, 1)
      for j in 0..<3 { equation.append(Column.bias + j, -slopes[j]) }
      for j in 3..<12 { equation.append(first + j - 3, -slopes[j]) }
      solver.add(equation, residual: error.component(i), variance: block.attitudeVariance)
    }

    // The velocity follows the accelerometer, forgets, and is near zero. A tilt lets gravity into it.
    let kept = block.isBreak ? 0 : Scalar.exp(-time / Self.velocityMemory)
    let velocity = world * (block.velocity ?? .zero)
    for i in 0..<2 {
      var equation = ChainSolver.Equation(1 - i, (i == 0 ? -0.5 : 0.5) * velocity.z)
      equation.append(3 + i, -kept)
      equation.append(n + 1 - i, (i == 0 ? -0.5 : 0.5) * velocity.z)
      equation.append(n + 3 + i, 1)
      solver.add(
        equation, residual: x[next + 3 + i] - kept * x[here + 3 + i] - velocity.component(i),
        variance: block.velocityDrift)
      guard block.velocity != nil else { continue }
      solver.add(.init(n + 3 + i, 1), residual: x[next + 3 + i], variance: block.velocityNoise)
    }

    // At rest the gyroscope reads its bias.
    guard let rate = block.restRate else { return }
    let offset = rate + estimate.matrix * rate - bias
    for i in 0..<3 {
      var equation = ChainSolver.Equation(Column.bias + i, -1)
      for j in 0..<3 { equation.append(first + 3 * i + j, rate.component(j)) }
      solver.add(equation, residual: offset.component(i), variance: block.restRateVariance / time)
    }
  }

  /// The errors of the sensors and the field have changed slowly until the block.
  private func drift(_ node: Int, _ time: Double, _ estimate: Estimate, in solver: inout ChainSolver) {
    let hardIron = blocks[node].hardIronDrift / (coefficients.fieldUnit * coefficients.fieldUnit)
    for i in Estimate.local..<estimate.width {
      let variance =
        switch i {
        case ..<8: Double(coefficients.biasDriftVariance)
        case ..<11: hardIron
        case 11: coefficients.fieldDrift
        default: coefficients.fieldDriftDown
        }
      let (here, previous) = (node * estimate.width + i, (node - 1) * estimate.width + i)
      solver.drift(
        i - Estimate.local, residual: estimate.values[here] - estimate.values[previous], variance: variance * time)
    }
  }

  // MARK: Field

  /// The field points north, and the device's own part of it turns with the device. It never moves the inclination.
  /// Returns the mean square of what does not fit in the north and upwards, relative; nil without a reading.
  private func addField(
    _ node: Int, _ estimate: Estimate, age: Double, to solver: inout ChainSolver
  ) -> Double? {
    let block = blocks[node]
    let n = Estimate.local
    guard let field = block.field else { return nil }

    let world = estimate.attitudes[node] * block.start.inverse
    let (iron, scale) = (estimate.errors(node).hardIron, 1 / coefficients.fieldUnit)
    let (north, down) = estimate.field(node)
    let matrix = world.matrix * field.rotation
    let r = matrix.elements
    let mean = world * field.mean * scale
    // The delay turns the field, not the iron.
    let slope = (world * field.rate).cross(Vector3(x: 0, y: north, z: -down))
    let error =
      mean - slope * estimate.constant[9] - matrix * Vector3<EastNorthUp>(iron)
      - Vector3(x: 0, y: north, z: -down)
    let noise = coefficients.fieldNoiseVariance + coefficients.disturbanceTime * error.dot(error)
    let weight = block.restRate == nil ? 1 : parameters.restFieldWeight
    for i in 0..<3 {
      var equation = ChainSolver.Equation()
      if i == 0 { equation.append(n + 2, -north) }
      for j in 0..<3 { equation.append(Column.hardIron + j, -r[3 * i + j]) }
      if i == 1 { equation.append(Column.field, -1) }
      if i == 2 { equation.append(Column.field + 1, 1) }
      equation.append(estimate.constantColumn + 9, -slope.component(i))
      solver.add(equation, residual: error.component(i), variance: noise / age / weight)
    }
    return min(coefficients.largestSpread, (error.y * error.y + error.z * error.z) / 2)
  }
}

extension Vector3 {
  /// The same numbers, for a product with a matrix that leads from the device to the world.
  init(_ v: Vector3<Device>) where F == EastNorthUp { self.init(x: v.x, y: v.y, z: v.z) }

  @inline(__always)
  fileprivate func component(_ i: Int) -> Double { i == 0 ? x : i == 1 ? y : z }
}

extension Matrix3 {
  /// Row by row.
  fileprivate var elements: InlineArray<9, Double> { [m11, m12, m13, m21, m22, m23, m31, m32, m33] }
}

extension OrientationSmoother.Estimate {
  /// Adds a solution; returns the largest turn, rad, or nil when it is not finite.
  mutating func move(by constant: [Double], _ nodes: [Double]) -> Double? {
    var largest = 0.0
    for i in constant.indices { self.constant[i] += constant[i] }
    for node in attitudes.indices {
      let x = node * width
      let turn = Vector3<EastNorthUp>(x: nodes[x], y: nodes[x + 1], z: nodes[x + 2])
      largest = max(largest, turn.dot(turn))
      attitudes[node] = Rotation<EastNorthUp, EastNorthUp>(rotationVector: turn) * attitudes[node]
      for i in 3..<width { values[x + i] += nodes[x + i] }
    }
    let sum = self.constant.reduce(0, +) + values.reduce(0, +) + largest
    return sum.isFinite ? largest.squareRoot() : nil
  }

  /// One node alone, before a solution of all of them was added.
  func only(_ node: Int, before constant: [Double], _ nodes: [Double]) -> Self {
    let x = node * width
    let turn = Vector3<EastNorthUp>(x: -nodes[x], y: -nodes[x + 1], z: -nodes[x + 2])
    let attitude = Rotation<EastNorthUp, EastNorthUp>(rotationVector: turn) * attitudes[node]
    // The turn is not among the values.
    return Self(
      width: width, attitudes: [attitude], values: (0..<width).map { values[x + $0] - ($0 < 3 ? 0 : nodes[x + $0]) },
      constant: zip(self.constant, constant).map { $0 - $1 }, hasHeading: hasHeading)
  }
}
