// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import Testing

@testable import OrientationFusion
@testable import OrientationSmoothing

/// The solver of the smoother against dense least squares on small chains of random equations.
@Suite struct ChainSolverTests {
  private static let (local, drifting, constant, nodes) = (3, 2, 1, 3)
  /// All unknowns: those of the nodes, those that drift, one set for each node, and the constant one.
  private static let order = nodes * (local + drifting) + constant

  private struct Solution {
    var chain: (constant: [Double], nodes: [Double])
    var variances: [[Double]]
    /// By Cholesky's method over all unknowns.
    var dense: CholeskyFactor<16>.Vector, factor: CholeskyFactor<16>
  }

  /// Random equations; unknowns drift before the nodes of `drifts`, else they stay what they were. At the node `cut`
  /// the chain begins again with what is known then.
  private func solve(seed: UInt64, drifts: Set<Int>, cut: Int? = nil) throws -> Solution {
    var random = Lehmer(seed: seed)
    var matrix = CholeskyFactor<16>.Matrix(repeating: .init(repeating: 0))
    var right = CholeskyFactor<16>.Vector(repeating: 0)
    let (local, drifting) = (Self.local, Self.drifting)
    var solver = ChainSolver(local: local, drifting: drifting, constant: Self.constant, nodes: Self.nodes)
    solver.begin()
    func addDense(_ row: CholeskyFactor<16>.Vector, _ residual: Double, _ variance: Double) {
      for i in 0..<Self.order {
        right[i] -= row[i] * residual / variance
        for j in 0..<Self.order { matrix[i][j] += row[i] * row[j] / variance }
      }
    }
    func add(_ node: Int, _ coefficients: [(Int, Double)], _ residual: Double, _ variance: Double) {
      var equation = ChainSolver.Equation()
      var row = CholeskyFactor<16>.Vector(repeating: 0)
      for (index, coefficient) in coefficients {
        equation.append(index, coefficient)
        let (place, next) = (node * (local + drifting), index - local)
        let isCommon = next >= local
        let drift = next - local
        row[
          !isCommon
            ? (next < 0 ? place + index : place + drifting + index)
            : drift < drifting ? place + local + drift : Self.order - 1] = coefficient
      }
      solver.add(equation, residual: residual, variance: variance)
      addDense(row, residual, variance)
    }
    for node in 0..<Self.nodes {
      for index in 0..<drifting where node > 0 {
        let residual = random.uniform()
        var row = CholeskyFactor<16>.Vector(repeating: 0)
        (row[node * 5 + local + index], row[node * 5 - 5 + local + index]) = (1, -1)
        if drifts.contains(node) { solver.drift(index, residual: residual, variance: 0.3) }
        // Without a drift the two are the same.
        addDense(row, drifts.contains(node) ? residual : 0, drifts.contains(node) ? 0.3 : 1e-9)
      }
      if node == cut { solver.begin(with: solver.knowledge) }
      for index in 0..<local { add(node, [(index, 1)], random.uniform(), 4) }
      if node == 0 { for index in 6..<9 { add(0, [(index, 1)], random.uniform(), 2) } }
      guard node + 1 < Self.nodes else { break }
      for _ in 0..<6 {
        add(node, (0..<9).map { ($0, random.uniform() - 0.5) }, random.uniform(), 0.1 + random.uniform())
      }
      solver.eliminateNode()
    }
    let chain = solver.solve()
    var variances = Array(repeating: [0.0], count: Self.nodes)
    solver.variances { variances[$0] = [$1, $2, $3] }
    let factor = try #require(CholeskyFactor<16>(matrix, smallestPivot: 1e-12))
    return Solution(chain: chain, variances: variances, dense: factor.solve(right), factor: factor)
  }

  private static let cases: [(seed: UInt64, drifts: Set<Int>)] = [
    (1, [1, 2]), (2, [1, 2]), (3, [1]), (4, [2]), (5, []),
  ]

  @Test(arguments: cases) func itsSolutionIsThatOfDenseLeastSquares(seed: UInt64, drifts: Set<Int>) throws {
    let result = try solve(seed: seed, drifts: drifts)
    let numbers = result.chain.nodes + result.chain.constant
    for i in 0..<Self.order { #expect(abs(numbers[i] - result.dense[i]) < 1e-6) }
  }

  @Test(arguments: cases) func itsVariancesAreTheDiagonalOfTheInverse(seed: UInt64, drifts: Set<Int>) throws {
    let result = try solve(seed: seed, drifts: drifts)
    for node in 0..<Self.nodes {
      for i in 0..<Self.local {
        let index = node * (Self.local + Self.drifting) + i
        #expect(abs(result.variances[node][i] - result.factor.inverseColumn(index)[index]) < 1e-6)
      }
    }
  }

  @Test(arguments: cases) func aChainThatIsCutGoesOnAsIfItWereWhole(seed: UInt64, drifts: Set<Int>) throws {
    let (whole, rest) = (try solve(seed: seed, drifts: drifts), try solve(seed: seed, drifts: drifts, cut: 1))
    let width = Self.local + Self.drifting
    #expect(rest.chain.nodes.count == 2 * width)
    for (a, b) in zip(rest.chain.nodes + rest.chain.constant, whole.chain.nodes[width...] + whole.chain.constant) {
      #expect(abs(a - b) < 1e-9)
    }
    for (a, b) in zip(rest.variances, whole.variances[1...]) { #expect(zip(a, b).allSatisfy { abs($0 - $1) < 1e-9 }) }
  }

  @Test func whatIsKnownMovesOnWithTheValuesThatItIsRelativeTo() {
    var solver = ChainSolver(local: 1, drifting: 1, constant: 1, nodes: 1)
    solver.begin()
    solver.add(.init(0, 1), residual: -3, variance: 1)
    solver.add(.init(2, 1), residual: -4, variance: 1)
    solver.add(.init(3, 1), residual: -5, variance: 1)
    var later = solver
    later.begin(with: solver.knowledge)
    later.move(by: [1, 3, 2])
    let (first, second) = (solver.solve(), later.solve())
    #expect(first.nodes == [3, 4] && first.constant == [5])
    #expect(second.nodes == [2, 1] && second.constant == [3])
  }
}
