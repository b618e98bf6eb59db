// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Linear least squares over a chain: unknowns of nodes that follow each other in time, each equation about two
/// neighbours, unknowns that drift slowly along the chain, and unknowns that never change.
///
/// The normal equations are block-tridiagonal with an arrow. A dense front holds two neighbours, the drifting and the
/// constant unknowns; when all equations of the first neighbour are in, it is eliminated, its rows are kept, and the
/// next node moves in. Where an unknown drifts, the size of its step is eliminated at once. So the work grows with the
/// length of the chain, and so does the memory for the way back. Source: Duff and Reid, "The multifrontal solution of
/// indefinite sparse symmetric linear equations", ACM TOMS 9(3), 1983.
struct ChainSolver: Sendable {
  /// Unknowns of a node, those that drift, and those that never change.
  let local: Int, drifting: Int, constant: Int
  /// Drifting and constant ones: after those of two nodes.
  private var common: Int { drifting + constant }
  /// The column of the right side, and the length of a row: whole vectors of four.
  private let right: Int, stride: Int
  /// Rows of the upper triangle; what stands left of the diagonal is never read.
  private var front: [Double]
  /// What was eliminated: a node, or the step of a drifting unknown.
  private enum Step { case node, drift(Int) }
  private var steps: [Step] = []
  /// The rows of what was eliminated, divided by the square root of their pivots: U of U ᵀU. That of a step has its
  /// pivot's root in the first column of the second neighbour, of which nothing is known then.
  private var rows: [Double] = []

  /// One equation: residual + Σ coefficient · unknown = noise. Unknowns of the first neighbour count from 0, of the
  /// second from `local`, the drifting ones from 2 `local`, the constant ones after them; they are given in that order.
  struct Equation {
    private(set) var count = 0
    private(set) var indices = InlineArray<20, Int>(repeating: 0)
    private(set) var coefficients = InlineArray<20, Double>(repeating: 0)

    init() {}

    init(_ index: Int, _ coefficient: Double) { append(index, coefficient) }

    @inline(__always)
    mutating func append(_ index: Int, _ coefficient: Double) {
      indices[count] = index
      coefficients[count] = coefficient
      count += 1
    }
  }

  init(local: Int, drifting: Int, constant: Int, nodes: Int) {
    (self.local, self.drifting, self.constant) = (local, drifting, constant)
    right = 2 * local + drifting + constant
    stride = (right + 4) & ~3
    front = Array(repeating: 0, count: right * stride)
    rows.reserveCapacity(nodes * (local + 1) * stride)
  }

  /// Begins again, with what is known of the first node.
  mutating func begin(with knowledge: [Double]? = nil) {
    rows.removeAll(keepingCapacity: true)
    steps.removeAll(keepingCapacity: true)
    front = knowledge ?? Array(repeating: 0, count: right * stride)
  }

  /// What is known of the present node and the common unknowns, from all equations before.
  var knowledge: [Double] { front }

  /// The unknowns count from values that have moved by `step` (node, drifting, constant).
  mutating func move(by step: [Double]) {
    for i in step.indices {
      let row = i < local ? i : i + local
      var sum = 0.0
      for j in step.indices {
        let column = j < local ? j : j + local
        sum += front[min(row, column) * stride + max(row, column)] * step[j]
      }
      front[row * stride + right] -= sum
    }
  }

  /// Not inlined: its twelve copies would be a third of the smoother's code, and no faster.
  @inline(never)
  mutating func add(_ equation: Equation, residual: Double, variance: Double) {
    let weight = 1 / max(variance, 1e-30)
    let n = equation.count
    let (indices, coefficients) = (equation.indices.span, equation.coefficients.span)
    let (stride, right) = (stride, right)
    var f = front.mutableSpan
    for a in 0..<n {
      let factor = weight * coefficients[a]
      let row = indices[a] * stride
      for b in a..<n { f[unchecked: row + indices[b]] += factor * coefficients[b] }
      f[unchecked: row + right] -= factor * residual
    }
  }

  /// No equation about the present node follows: the next one moves in.
  mutating func eliminateNode() {
    for p in 0..<local { eliminate(p) }
    rows.append(contentsOf: front[..<(local * stride)])
    steps.append(.node)
    // The next node becomes the first one, the one after it is unknown.
    let (local, stride, right) = (local, stride, right)
    var f = front.mutableSpan
    for i in 0..<local {
      let (to, from) = (i * stride, (local + i) * stride)
      for j in i..<local { f[unchecked: to + j] = f[unchecked: from + local + j] }
      for j in local..<2 * local { f[unchecked: to + j] = 0 }
      for j in 2 * local...right { f[unchecked: to + j] = f[unchecked: from + j] }
    }
    for i in local..<2 * local {
      for j in 0..<stride { f[unchecked: i * stride + j] = 0 }
    }
  }

  /// A drifting unknown becomes another one: residual + new − old = noise. Directly after ``eliminateNode()``.
  mutating func drift(_ unknown: Int, residual: Double, variance: Double) {
    // With the step y the old one is new − y: y has the pivot, and the column of the old one with the other sign.
    let column = 2 * local + unknown
    let (local, stride, right, base) = (local, stride, right, rows.count)
    let weight = 1 / max(variance, 1e-30)
    let scale = 1 / (front[column * stride + column] + weight).squareRoot()
    for j in 0..<stride {
      let isKnown = j < local || j >= 2 * local && j <= right
      rows.append(isKnown ? -scale * front[min(j, column) * stride + max(j, column)] : 0)
    }
    rows[base + right] -= scale * weight * residual
    Self.subtract(rows, base, from: &front, stride: stride)
    rows[base + local] = 1 / scale
    steps.append(.drift(unknown))
  }

  /// The product of a row with itself.
  private static func subtract(_ rows: [Double], _ base: Int, from front: inout [Double], stride: Int) {
    let order = front.count / stride
    let row = rows.span
    var f = front.mutableSpan
    for i in 0..<order {
      let (factor, first) = (row[unchecked: base + i], i & ~3)
      if factor != 0 { add(-factor, row, base + first, to: &f, i * stride + first, stride - first) }
    }
  }

  private mutating func eliminate(_ pivot: Int) {
    let (stride, end) = (stride, right)
    var f = front.mutableSpan
    let base = pivot * stride
    let diagonal = f[unchecked: base + pivot]
    // An unknown that no equation is about stays where it is.
    let scale = diagonal > 0 ? 1 / diagonal.squareRoot() : 0
    for j in pivot..<stride { f[unchecked: base + j] *= scale }
    var row = base
    for i in pivot + 1..<end {
      row &+= stride
      let factor = f[unchecked: base &+ i]
      guard factor != 0 else { continue }
      var j = i & ~3
      while j < stride {
        let sum = Self.vector(f.span, row &+ j) - factor * Self.vector(f.span, base &+ j)
        Self.store(sum, &f, row &+ j)
        j &+= 4
      }
    }
  }

  /// The constant unknowns, and for each node from the first to the last its own and the drifting ones. Call it once,
  /// after the last equation.
  mutating func solve() -> (constant: [Double], nodes: [Double]) {
    eliminateNode()
    let first = 2 * local
    for p in first..<right { eliminate(p) }
    var commonValues = Array(repeating: 0.0, count: common)
    for i in commonValues.indices.reversed() {
      let row = (first + i) * stride
      var sum = front[row + right]
      for j in i + 1..<common { sum -= front[row + first + j] * commonValues[j] }
      commonValues[i] = quotient(sum, front[row + first + i])
    }
    let (local, width, stride, right) = (local, local + drifting, stride, right)
    let rows = rows.span
    var base = rows.count
    var node = steps.count { if case .node = $0 { true } else { false } }
    // One node more than there are: of the one after the last nothing is known.
    var nodes = Array(repeating: 0.0, count: (node + 1) * width)
    var x = nodes.mutableSpan
    for step in steps.reversed() {
      switch step {
      case .node:
        node -= 1
        base -= local * stride
        let first = node * width
        for i in (0..<local).reversed() {
          let row = base + i * stride
          var sum = rows[unchecked: row + right]
          for j in i + 1..<local { sum -= rows[unchecked: row + j] * x[unchecked: first + j] }
          for j in 0..<local { sum -= rows[unchecked: row + local + j] * x[unchecked: first + width + j] }
          for j in commonValues.indices { sum -= rows[unchecked: row + 2 * local + j] * commonValues[j] }
          x[unchecked: first + i] = quotient(sum, rows[unchecked: row + i])
        }
        for i in 0..<width - local { x[unchecked: first + local + i] = commonValues[i] }
      case .drift(let unknown):
        base -= stride
        var sum = rows[unchecked: base + right]
        for j in 0..<local { sum -= rows[unchecked: base + j] * x[unchecked: node * width + j] }
        for j in commonValues.indices { sum -= rows[unchecked: base + 2 * local + j] * commonValues[j] }
        commonValues[unknown] -= quotient(sum, rows[unchecked: base + local])
      }
    }
    nodes.removeLast(width)
    return (Array(commonValues[drifting...]), nodes)
  }

  private func quotient(_ a: Double, _ b: Double) -> Double { b > 0 ? a / b : 0 }

  /// The variances of the first three unknowns of each node, from the last node to the first, after ``solve()``.
  ///
  /// With U the rows of a node, x = U₁₁⁻¹ (z − U₁₂ s) where s are the next node's and the common unknowns: so its
  /// covariance follows from theirs (Takahashi, Fagan and Chin, "Formation of a sparse bus impedance matrix", PICA
  /// 1973).
  func variances(_ body: (_ node: Int, _ x: Double, _ y: Double, _ z: Double) -> Void) {
    let (n, m, stride) = (local, common, stride)
    // Rows of whole vectors; what is beyond the unknowns stays zero.
    let width = (n + m + 3) & ~3
    // Of the next node and the common unknowns together; without a next node its part is zero.
    var covariance = Array(repeating: 0.0, count: width * width)
    var inverse = Array(repeating: 0.0, count: max(n, m) * max(n, m))
    invert(front.span, at: 2 * n * stride + 2 * n, order: m, into: &inverse)
    for i in 0..<m {
      for j in 0..<m {
        var sum = 0.0
        for k in max(i, j)..<m { sum += inverse[i * m + k] * inverse[j * m + k] }
        covariance[(n + i) * width + n + j] = sum
      }
    }
    // G = U₁₁⁻¹ U₁₂, and G P.
    var factor = Array(repeating: 0.0, count: n * width)
    var product = factor
    let rows = rows.span
    var base = rows.count
    var node = steps.count { if case .node = $0 { true } else { false } }
    for step in steps.reversed() {
      var g = factor.mutableSpan
      var gp = product.mutableSpan
      var p = covariance.mutableSpan
      if case .drift(let unknown) = step {
        base -= stride
        // y = (z − U x) / pivot, and the old value is the new one − y.
        let root = quotient(1, rows[unchecked: base + n])
        for j in 0..<n + m { g[unchecked: j] = root * rows[unchecked: base + (j < n ? j : j + n)] }
        for j in 0..<width { gp[unchecked: j] = 0 }
        for k in 0..<n + m { Self.add(g[unchecked: k], p.span, k * width, to: &gp, 0, width) }
        var variance = root * root + 2 * gp[unchecked: n + unknown]
        for k in 0..<n + m { variance += gp[unchecked: k] * g[unchecked: k] }
        let old = n + unknown
        p[unchecked: old * width + old] += variance
        for j in 0..<n + m where j != old {
          p[unchecked: old * width + j] += gp[unchecked: j]
          p[unchecked: j * width + old] += gp[unchecked: j]
        }
        continue
      }
      node -= 1
      base -= n * stride
      invert(rows, at: base, order: n, into: &inverse)
      let u = inverse.span
      for i in 0..<n {
        let row = i * width
        for j in 0..<width { g[unchecked: row + j] = 0 }
        for k in i..<n {
          let (factor, from) = (u[unchecked: i * n + k], base + k * stride + n)
          for j in 0..<n + m { g[unchecked: row + j] += factor * rows[unchecked: from + j] }
        }
        for j in 0..<width { gp[unchecked: row + j] = 0 }
        for k in 0..<n + m { Self.add(g[unchecked: row + k], p.span, k * width, to: &gp, row, width) }
      }
      for i in 0..<n {
        for j in i..<n {
          var sums = SIMD4<Double>.zero
          var k = 0
          while k < width {
            sums += Self.vector(gp.span, i * width + k) * Self.vector(g.span, j * width + k)
            k += 4
          }
          var sum = sums.sum()
          for k in j..<n { sum += u[unchecked: i * n + k] * u[unchecked: j * n + k] }
          p[unchecked: i * width + j] = sum
          p[unchecked: j * width + i] = sum
        }
        for j in n..<n + m {
          let element = -gp[unchecked: i * width + j]
          p[unchecked: i * width + j] = element
          p[unchecked: j * width + i] = element
        }
      }
      body(node, p[0], p[width + 1], p[2 * width + 2])
    }
  }

  @inline(__always)
  private static func vector(_ numbers: Span<Double>, _ i: Int) -> SIMD4<Double> {
    SIMD4(numbers[unchecked: i], numbers[unchecked: i &+ 1], numbers[unchecked: i &+ 2], numbers[unchecked: i &+ 3])
  }

  @inline(__always)
  private static func store(_ vector: SIMD4<Double>, _ numbers: inout MutableSpan<Double>, _ i: Int) {
    numbers[unchecked: i] = vector.x
    numbers[unchecked: i &+ 1] = vector.y
    numbers[unchecked: i &+ 2] = vector.z
    numbers[unchecked: i &+ 3] = vector.w
  }

  /// A multiple of a row to another, both of `count` numbers, a multiple of four.
  @inline(__always)
  private static func add(
    _ factor: Double, _ a: Span<Double>, _ from: Int, to b: inout MutableSpan<Double>, _ to: Int, _ count: Int
  ) {
    var j = 0
    while j < count {
      store(vector(b.span, to &+ j) + factor * vector(a, from &+ j), &b, to &+ j)
      j &+= 4
    }
  }

  /// Of an upper triangle.
  private func invert(_ matrix: Span<Double>, at base: Int, order: Int, into inverse: inout [Double]) {
    var inverse = inverse.mutableSpan
    for j in 0..<order {
      inverse[unchecked: j * order + j] = quotient(1, matrix[unchecked: base + j * stride + j])
      for i in (0..<j).reversed() {
        var sum = 0.0
        for k in i + 1...j {
          sum += matrix[unchecked: base + i * stride + k] * inverse[unchecked: k * order + j]
        }
        inverse[unchecked: i * order + j] = -quotient(sum, matrix[unchecked: base + i * stride + i])
      }
    }
  }
}
