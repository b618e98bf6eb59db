// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationFusion

/// The solver of the smoother against dense least squares on small chains of random equations.
@Suite struct ChainSolverTests {
  private static let (local, shared, nodes) = (3, 2, 3)
  /// x = 3 nodes · 3, then the shared ones.
  private static let order = nodes * local + shared

  /// Random equations, solved by the chain and by Cholesky's method over all unknowns.
  private func solve(
    seed: UInt64, keeping: (inout ChainSolver) -> ChainSolver.Knowledge? = { _ in nil }
  ) throws -> (
    chain: (shared: [Double], nodes: [Double]), variances: [[Double]], dense: CholeskyFactor<11>.Vector,
    factor: CholeskyFactor<11>
  ) {
    var random = Lehmer(seed: seed)
    var matrix = CholeskyFactor<11>.Matrix(repeating: .init(repeating: 0))
    var right = CholeskyFactor<11>.Vector(repeating: 0)
    var solver = ChainSolver(local: Self.local, shared: Self.shared, nodes: Self.nodes)
    solver.begin()
    func add(_ node: Int, _ coefficients: [(Int, Double)], _ residual: Double, _ variance: Double) {
      var equation = ChainSolver.Equation()
      var dense = CholeskyFactor<11>.Vector(repeating: 0)
      for (index, coefficient) in coefficients {
        equation.append(index, coefficient)
        dense[index < 2 * Self.local ? node * Self.local + index : Self.nodes * Self.local + index - 2 * Self.local] =
          coefficient
      }
      solver.add(equation, residual: residual, variance: variance)
      for i in 0..<Self.order {
        right[i] -= dense[i] * residual / variance
        for j in 0..<Self.order { matrix[i][j] += dense[i] * dense[j] / variance }
      }
    }
    for node in 0..<Self.nodes {
      for index in 0..<Self.local { add(node, [(index, 1)], random.uniform(), 4) }
      if node == 0 { for index in 6..<8 { add(0, [(index, 1)], random.uniform(), 2) } }
      guard node + 1 < Self.nodes else { break }
      for _ in 0..<6 {
        add(node, (0..<8).map { ($0, random.uniform() - 0.5) }, random.uniform(), 0.1 + random.uniform())
      }
      solver.eliminateNode()
    }
    let chain = solver.solve()
    var variances = Array(repeating: [0.0], count: Self.nodes)
    solver.variances { variances[$0] = [$1, $2, $3] }
    let factor = try #require(CholeskyFactor<11>(matrix, smallestPivot: 1e-12))
    return (chain, variances, factor.solve(right), factor)
  }

  @Test(arguments: 1...5) func itsSolutionIsThatOfDenseLeastSquares(seed: Int) throws {
    let result = try solve(seed: UInt64(seed))
    let numbers = result.chain.nodes + result.chain.shared
    for i in 0..<Self.order { #expect(abs(numbers[i] - result.dense[i]) < 1e-10) }
  }

  @Test(arguments: 1...5) func itsVariancesAreTheDiagonalOfTheInverse(seed: Int) throws {
    let result = try solve(seed: UInt64(seed))
    for node in 0..<Self.nodes {
      for i in 0..<Self.local {
        let index = node * Self.local + i
        #expect(abs(result.variances[node][i] - result.factor.inverseColumn(index)[index]) < 1e-10)
      }
    }
  }

  @Test func whatIsKnownMovesOnWithTheValuesThatItIsRelativeTo() {
    var solver = ChainSolver(local: 1, shared: 1, nodes: 1)
    solver.begin()
    solver.add(.init(0, 1), residual: -3, variance: 1)
    solver.add(.init(2, 1), residual: -5, variance: 1)
    var later = solver
    later.begin(with: solver.knowledge)
    later.move(by: [1, 2])
    let (first, second) = (solver.solve(), later.solve())
    #expect(first.nodes == [3] && first.shared == [5])
    #expect(second.nodes == [2] && second.shared == [3])
  }
}
