// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import Testing

@testable import SimulatedSources

/// The elementary functions against the platform's.
struct ScalarTests {
  /// A function of one number, here and in the C library.
  struct Function: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let ours: @Sendable (Double) -> Double
    let theirs: @Sendable (Double) -> Double
    /// Arguments outside are not asked for.
    var range = -Double.infinity...Double.infinity
  }

  static let functions: [Function] = [
    Function(testDescription: "sin", ours: Scalar.sin, theirs: { Foundation.sin($0) }),
    Function(testDescription: "cos", ours: Scalar.cos, theirs: { Foundation.cos($0) }),
    Function(testDescription: "tan", ours: Scalar.tan, theirs: { Foundation.tan($0) }),
    Function(testDescription: "asin", ours: Scalar.asin, theirs: { Foundation.asin($0) }, range: -1...1),
    Function(testDescription: "acos", ours: Scalar.acos, theirs: { Foundation.acos($0) }, range: -1...1),
    Function(testDescription: "exp", ours: Scalar.exp, theirs: { Foundation.exp($0) }),
    Function(testDescription: "log", ours: Scalar.log, theirs: { Foundation.log($0) }, range: 0...Double.infinity),
  ]

  @Test(arguments: functions) func aFunctionIsWithinOneUnitOfThePlatforms(_ function: Function) {
    for x in Self.arguments() where function.range.contains(x) {
      #expect(distance(function.ours(x), function.theirs(x)) <= 1, "\(function.testDescription)(\(x))")
    }
    for x in Self.special where function.range.contains(x) || x.isNaN {
      #expect(distance(function.ours(x), function.theirs(x)) <= 1, "\(function.testDescription)(\(x))")
    }
  }

  @Test func functionsOfTwoNumbersAreWithinOneUnitOfThePlatforms() {
    let numbers = Self.arguments()
    var pairs = Array(zip(numbers, numbers.reversed()))
    for x in Self.special {
      for y in Self.special { pairs.append((x, y)) }
    }
    for (x, y) in pairs {
      #expect(distance(Scalar.atan2(x, y), Foundation.atan2(x, y)) <= 1, "atan2(\(x), \(y))")
      #expect(distance(Scalar.hypot(x, y), Foundation.hypot(x, y)) <= 1, "hypot(\(x), \(y))")
      #expect(distance(Scalar.pow(x, y), Foundation.pow(x, y)) <= 1, "pow(\(x), \(y))")
      #expect(distance(Scalar.pow(abs(x), 1 / y), Foundation.pow(abs(x), 1 / y)) <= 1, "pow(\(abs(x)), \(1 / y))")
    }
  }

  /// The doubles nearest to a multiple of a quarter turn: W. Kahan's, J.-M. Muller's "Elementary Functions", chapter
  /// 11.
  @Test func aMultipleOfAQuarterTurnLosesNoDigit() {
    #expect(Scalar.cos(6_381_956_970_095_103 * 0x1p797) == -4.6871659242546277e-19)
    #expect(Scalar.sin(.pi) == 1.2246467991473532e-16)
    #expect(Scalar.cos(.pi / 2) == 6.123233995736766e-17)
    #expect(Scalar.sin(1e22) == -0.8522008497671888)
  }

  /// Doubles between two; 0 for two NaN.
  private func distance(_ a: Double, _ b: Double) -> UInt64 {
    if a.isNaN || b.isNaN { return a.isNaN && b.isNaN ? 0 : .max }
    guard a.sign == b.sign else { return .max }
    return a.bitPattern > b.bitPattern ? a.bitPattern - b.bitPattern : b.bitPattern - a.bitPattern
  }

  private static let special: [Double] = [
    0, -0.0, 0.5, 1, -1, 2, -2, 3, -3, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .leastNormalMagnitude,
    .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0x1p52 + 1, 0x1p53 + 2, 0x1p51 + 0.5, 1e300, 1e-300,
  ]

  /// Twenty thousand: near 0 and 1, of an ordinary size, and any bits at all.
  private static func arguments() -> [Double] {
    let random = RandomStream(key: 20)
    return (0..<20_000).map { (index: UInt64) in
      let unit = Double(Int64(bitPattern: random.bits(at: 2 * index))) * 0x1p-63
      return switch index % 5 {
      case 0: unit
      case 1: unit * 30
      case 2: (1 - abs(unit)).squareRoot()
      case 3: unit * 1e6
      default: Double(bitPattern: random.bits(at: 2 * index + 1) & 0xBFFF_FFFF_FFFF_FFFF)
      }
    }
  }
}

@Suite struct Vector3Tests {
  private let a = Vector3<Device>(x: 1, y: -2, z: 3)
  private let b = Vector3<Device>(x: 0.5, y: 4, z: -1)

  @Test func theBasisIsRightHanded() {
    let (x, y, z) = (
      Vector3<Device>(x: 1, y: 0, z: 0), Vector3<Device>(x: 0, y: 1, z: 0), Vector3<Device>(x: 0, y: 0, z: 1)
    )
    #expect(x.cross(y) == z && y.cross(z) == x && z.cross(x) == y)
    #expect(x.dot(y) == 0 && x.dot(x) == 1)
  }

  @Test func sumsAndMultiplesFollowTheLawsOfAVectorSpace() {
    #expect(a + b == b + a && a - a == .zero && a + .zero == a)
    #expect(a * 2 == a + a && 2 * a == a * 2 && a / 2 == a * 0.5 && -a == a * -1)
    #expect((a + b) * 4 == a * 4 + b * 4)
    var c = a
    c += b
    c -= a
    #expect(c == b)
    c *= 8
    c /= 8
    #expect(c == b)
  }

  @Test func theCrossProductIsOrthogonalAndTurnsItsSign() {
    let product = a.cross(b)
    #expect(product.dot(a) == 0 && product.dot(b) == 0)
    #expect(b.cross(a) == -product && a.cross(a) == .zero)
    #expect((product.dot(product) + a.dot(b) * a.dot(b) - a.dot(a) * b.dot(b)).magnitude < 1e-12)
  }

  @Test(arguments: [1e-307, 1e-300, 1e-170, 1e-160, 1e-150, 1e-8, 1, 1e8, 1e150, 1e300])
  func aNormalisedVectorHasLengthOneAndTheSameDirection(scale: Double) throws {
    let vector = Vector3<Device>(x: 2 * scale, y: -scale, z: 2 * scale)
    let unit = try #require(vector.normalized)
    #expect((unit.length - 1).magnitude < 4e-16)
    #expect((unit.x + 2 * unit.y).magnitude < 1e-15)
  }

  @Test func whatHasNoDirectionIsNotNormalised() {
    #expect(Vector3<Device>.zero.normalized == nil)
    #expect(Vector3<Device>(x: .nan, y: 1, z: 0).normalized == nil)
    #expect(Vector3<Device>(x: .infinity, y: 1, z: 0).normalized == nil)
  }

  @Test func theAngleIsExactAlsoWhereTheCosineIsBlind() {
    let x = Vector3<Device>(x: 1, y: 0, z: 0)
    for angle in [0, 1e-12, 1e-8, 1e-3, 1, .pi / 2, 3, .pi - 1e-8, .pi] {
      let turned = Vector3<Device>(x: Scalar.cos(angle), y: 0, z: Scalar.sin(angle)) * 5
      #expect((x.angle(to: turned) - angle).magnitude < 1e-15)
    }
    #expect(x.angle(to: .zero) == 0)
  }

  @Test func nearlyEqualIsByComponentAndNeverTrueForNaN() {
    #expect(a.isApproximatelyEqual(to: a + Vector3(x: 0, y: 0.1, z: 0), tolerance: 0.11))
    #expect(!a.isApproximatelyEqual(to: a + Vector3(x: 0, y: 0.1, z: 0), tolerance: 0.09))
    let broken = Vector3<Device>(x: .nan, y: 0, z: 0)
    #expect(!broken.isApproximatelyEqual(to: broken, tolerance: 1))
    #expect(!broken.isFinite && a.isFinite && !Vector3<Device>(x: 0, y: 0, z: .infinity).isFinite)
  }
}

@Suite struct AngleTests {
  @Test func degreesAndRadiansAreOneAngle() {
    #expect(Angle(degrees: 180).radians == .pi)
    #expect(Angle(radians: .pi / 2).degrees == 90)
    for degrees in stride(from: -720.0, through: 720, by: 7.5) {
      #expect((Angle(degrees: degrees).degrees - degrees).magnitude < 1e-12)
    }
    #expect(Angle(degrees: 1) < Angle(degrees: 2))
  }

  @Test func aWrappedAngleIsTheSameDirectionWithinHalfATurn() {
    for degrees in stride(from: -1000.0, through: 1000, by: 12.5) {
      let angle = Angle(degrees: degrees)
      let wrapped = angle.wrapped
      #expect(wrapped.radians.magnitude <= .pi + 1e-12)
      #expect((Scalar.sin(wrapped.radians) - Scalar.sin(angle.radians)).magnitude < 1e-13)
      #expect((Scalar.cos(wrapped.radians) - Scalar.cos(angle.radians)).magnitude < 1e-13)
    }
    #expect(Angle(radians: 3).wrapped.radians == 3)
  }

  @Test func inverseFunctionsTakeRoundingAtThePole() {
    #expect(Scalar.asin(1.000_000_1) == .pi / 2)
    #expect(Scalar.asin(-1.000_000_1) == -.pi / 2)
    #expect(Scalar.acos(1.000_000_1) == 0)
    #expect(Scalar.acos(-1.000_000_1) == .pi)
    #expect(Scalar.atan2(0, 0) == 0)
  }
}

/// Values at which laws break first: 0, nearly 0, ordinary, π and its neighbourhood, more than a turn.
enum Awkward {
  static let angles: [Double] = [
    0, 1e-300, 1e-16, 1e-8, 1e-4, 0.009_999, 0.01, 0.010_001, 0.1, 1, .pi / 2, 3, .pi - 1e-4, .pi - 1e-8, .pi - 1e-15,
    .pi,
  ]

  static let axes: [Vector3<Device>] = [
    Vector3(x: 1, y: 0, z: 0), Vector3(x: 0, y: 1, z: 0), Vector3(x: 0, y: 0, z: 1), Vector3(x: 0, y: 0, z: -1),
    Vector3(x: 1, y: 1, z: 1), Vector3(x: -1, y: 1e-9, z: 0), Vector3(x: 0.3, y: -0.5, z: 0.8),
  ].compactMap(\.normalized)

  /// Every angle about every axis.
  static let rotationVectors: [Vector3<Device>] = angles.flatMap { angle in axes.map { $0 * angle } }

  static let rotations: [Rotation<Device, EastNorthUp>] = rotationVectors.map { Rotation(rotationVector: $0) }

  static let vectors: [Vector3<Device>] =
    axes + [.zero, Vector3(x: 1e-9, y: -2e-9, z: 3e-9), Vector3(x: 4e7, y: -5e7, z: 6e7)]

  /// Reproducible numbers, evenly spread over −1…1 (a linear congruential generator, Knuth's MMIX constants).
  static func random(_ count: Int) -> [Double] {
    var state: UInt64 = 1
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(Int64(bitPattern: state) >> 11) * 0x1p-52
    }
  }

  static func randomRotations(_ count: Int) -> [Rotation<Device, Device>] {
    let numbers = random(count * 4)
    return (0..<count).compactMap {
      Rotation(w: numbers[4 * $0], x: numbers[4 * $0 + 1], y: numbers[4 * $0 + 2], z: numbers[4 * $0 + 3])
    }
  }
}

extension Rotation {
  /// Length of the quaternion less one.
  var lengthError: Double { (w * w + x * x + y * y + z * z).squareRoot() - 1 }
}
