// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Linear least squares over a chain: unknowns of nodes that follow each other in time, each equation about two neighbours and the
/// unknowns that all share.
///
/// The normal equations are block-tridiagonal with an arrow. A dense front holds two neighbours and the shared unknowns; when all
/// equations of the first neighbour are in, it is eliminated, its rows are kept, and the next node moves in. So the work grows with
/// the length of the chain, and so does the memory for the way back. Source: Duff and Reid, "The multifrontal solution of
/// indefinite sparse symmetric linear equations", ACM TOMS 9(3), 1983.
struct ChainSolver: Sendable {
  /// Unknowns of a node, and those that all nodes share.
  let local: Int, shared: Int
  /// The column of the right side, and the length of a row: whole vectors of four.
  private let right: Int, stride: Int
  private var order: Int { 2 * local + shared }
  /// Rows of the upper triangle; what stands left of the diagonal is never read.
  private var front: [Double]
  /// The rows of the nodes that are eliminated, divided by the square root of their pivots: U of U ᵀU.
  private var rows: [Double] = []

  /// What is known of a node and the shared unknowns, from all equations before.
  struct Knowledge: Sendable {
    fileprivate var front: [Double]
  }

  /// One equation: residual + Σ coefficient · unknown = noise. Unknowns of the first neighbour count from 0, of the second from
  /// `local`, the shared ones from 2 `local`; they are given in that order.
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

  init(local: Int, shared: Int, nodes: Int) {
    (self.local, self.shared) = (local, shared)
    right = 2 * local + shared
    stride = (right + 4) & ~3
    front = Array(repeating: 0, count: right * stride)
    rows.reserveCapacity(nodes * local * stride)
  }

  /// Begins again, with what is known of the first node.
  mutating func begin(with knowledge: Knowledge? = nil) {
    rows.removeAll(keepingCapacity: true)
    if let knowledge {
      front = knowledge.front
    } else {
      for i in front.indices { front[i] = 0 }
    }
  }

  /// What is known of the present node.
  var knowledge: Knowledge { Knowledge(front: front) }

  /// The unknowns of the node and the shared ones count from values that have moved by `step` (node, then shared).
  mutating func move(by step: [Double]) {
    for i in 0..<local + shared {
      let row = i < local ? i : i + local
      var sum = 0.0
      for j in 0..<local + shared {
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

  private mutating func eliminate(_ pivot: Int) {
    let stride = stride
    let end = order
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
        f[unchecked: row &+ j] -= factor * f[unchecked: base &+ j]
        f[unchecked: row &+ j &+ 1] -= factor * f[unchecked: base &+ j &+ 1]
        f[unchecked: row &+ j &+ 2] -= factor * f[unchecked: base &+ j &+ 2]
        f[unchecked: row &+ j &+ 3] -= factor * f[unchecked: base &+ j &+ 3]
        j &+= 4
      }
    }
  }

  /// The unknowns: `shared` of them, then `local` for each node from the first to the last. Call it once, after the last equation.
  mutating func solve() -> (shared: [Double], nodes: [Double]) {
    eliminateNode()
    for p in 2 * local..<order { eliminate(p) }
    var common = Array(repeating: 0.0, count: shared)
    for i in (0..<shared).reversed() {
      let row = (2 * local + i) * stride
      var sum = front[row + right]
      for j in i + 1..<shared { sum -= front[row + 2 * local + j] * common[j] }
      common[i] = quotient(sum, front[row + 2 * local + i])
    }
    let (local, shared, stride, right) = (local, shared, stride, right)
    let rows = rows.span
    let count = rows.count / (local * stride)
    var nodes = Array(repeating: 0.0, count: count * local)
    var x = nodes.mutableSpan
    for node in (0..<count).reversed() {
      let (base, first) = (node * local * stride, node * local)
      for i in (0..<local).reversed() {
        let row = base + i * stride
        var sum = rows[unchecked: row + right]
        for j in i + 1..<local { sum -= rows[unchecked: row + j] * x[unchecked: first + j] }
        if node + 1 < count {
          for j in local..<2 * local { sum -= rows[unchecked: row + j] * x[unchecked: first + j] }
        }
        for j in 0..<shared { sum -= rows[unchecked: row + 2 * local + j] * common[j] }
        x[unchecked: first + i] = quotient(sum, rows[unchecked: row + i])
      }
    }
    return (common, nodes)
  }

  private func quotient(_ a: Double, _ b: Double) -> Double { b > 0 ? a / b : 0 }

  /// The variances of the first three unknowns of each node, from the last node to the first, after ``solve()``.
  ///
  /// With U the rows of a node, x = U₁₁⁻¹ (z − U₁₂ s) where s are the next node's and the shared unknowns: so its covariance
  /// follows from theirs (Takahashi, Fagan and Chin, "Formation of a sparse bus impedance matrix", PICA 1973).
  func variances(_ body: (_ node: Int, _ x: Double, _ y: Double, _ z: Double) -> Void) {
    let (n, m, stride) = (local, shared, stride)
    // Rows of whole vectors; what is beyond the unknowns stays zero.
    let width = (n + m + 3) & ~3
    // Of the next node and the shared unknowns together; without a next node its part is zero.
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
    for node in (0..<rows.count / (n * stride)).reversed() {
      let base = node * n * stride
      invert(rows, at: base, order: n, into: &inverse)
      let u = inverse.span
      var g = factor.mutableSpan
      var gp = product.mutableSpan
      var p = covariance.mutableSpan
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

  /// A multiple of a row to another, both of `count` numbers, a multiple of four.
  @inline(__always)
  private static func add(
    _ factor: Double, _ a: Span<Double>, _ from: Int, to b: inout MutableSpan<Double>, _ to: Int, _ count: Int
  ) {
    var j = 0
    while j < count {
      b[unchecked: to &+ j] += factor * a[unchecked: from &+ j]
      b[unchecked: to &+ j &+ 1] += factor * a[unchecked: from &+ j &+ 1]
      b[unchecked: to &+ j &+ 2] += factor * a[unchecked: from &+ j &+ 2]
      b[unchecked: to &+ j &+ 3] += factor * a[unchecked: from &+ j &+ 3]
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
