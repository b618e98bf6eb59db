// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// The sensor errors that a filter has learned, for the next filter on the same device.
///
/// Scale and misalignment of a gyroscope are fixed in the factory and do not change: what was learned yesterday is
/// valid today. The bias changes with the temperature; its value is only a better guess than zero. The numbers have the
/// covariance matrix of the filter.
///
/// ```swift
/// let before = filter.learned
/// …                                                          // a run
/// let learned = filter.learned.credited(since: before)
/// …                                                          // a day later
/// let next = OrientationFilter(usesMagnetometer: true, learned: learned.widened(elapsed: 86_400))
/// ```
///
/// A plain value of numbers; the caller stores it.
public struct LearnedSensor: Sendable {
  /// The number of values: bias x, y, z (rad/s), the nine elements of the matrix row by row, the delay (s).
  public static var count: Int { 13 }
  /// Elements of the covariance on and right of its diagonal.
  public static var covarianceCount: Int { 91 }

  /// The gyroscope's reading when the device does not turn, rad/s, device axes.
  public var gyroscopeBias: Vector3<Device>
  /// Scale errors (diagonal) and misalignment (off the diagonal), relative and rad: true rate = (1 + matrix) · reading
  /// − bias.
  public var gyroscopeMatrix: Matrix3
  /// The delay of the magnetometer's readings relative to the gyroscope's, s.
  public var magnetometerDelay: Double
  /// The covariance of these, in the order of ``count``: the elements on and right of the diagonal, row by row.
  public var covariance: InlineArray<91, Double>

  /// A stored estimate; the filter checks the numbers before it uses them (``isPlausible``).
  public init(
    gyroscopeBias: Vector3<Device>, gyroscopeMatrix: Matrix3, magnetometerDelay: Double,
    covariance: InlineArray<91, Double>
  ) {
    self.gyroscopeBias = gyroscopeBias
    self.gyroscopeMatrix = gyroscopeMatrix
    self.magnetometerDelay = magnetometerDelay
    self.covariance = covariance
  }

  /// An element of the covariance; (row, column) and (column, row) are the same, 0…12.
  public subscript(row: Int, column: Int) -> Double {
    get { covariance[Self.position(row, column)] }
    set { covariance[Self.position(row, column)] = newValue }
  }

  private static func position(_ row: Int, _ column: Int) -> Int {
    let (i, j) = (min(row, column), max(row, column))
    return i * count - i * (i - 1) / 2 + j - i
  }

  /// The thirteen numbers in their order.
  var numbers: InlineArray<13, Double> {
    get {
      let (b, m) = (gyroscopeBias, gyroscopeMatrix)
      return [b.x, b.y, b.z, m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33, magnetometerDelay]
    }
    set(n) {
      gyroscopeBias = Vector3(x: n[0], y: n[1], z: n[2])
      gyroscopeMatrix = Matrix3(n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11])
      magnetometerDelay = n[12]
    }
  }

  /// The same with variances widened for a later day.
  ///
  /// - Parameters:
  ///   - elapsed: seconds since it was learned, 0 or more; infinite when unknown.
  ///   - temperatureChange: the temperature difference of the sensor since then, K; nil when unknown: then 5 K are
  ///     assumed, as for a device that stays indoors.
  ///
  /// The bias takes a random walk of 0.005 °/s/√s, as in ``OrientationFilter/Parameters/gyroscopeBiasDrift``, and
  /// changes by 0.015 °/s per kelvin; the scale by 0.01 % per kelvin: typical values of the data sheets of consumer
  /// gyroscopes. After a day every element of the matrix may differ by 0.03 %, and the delay by 1 ms: stress of the
  /// housing, other settings of the chip.
  public func widened(elapsed: Double, temperatureChange: Double? = nil) -> LearnedSensor {
    let elapsed = max(0, elapsed)
    // The temperature changes slowly: in a minute hardly at all.
    let kelvins = abs(temperatureChange ?? Self.usualTemperatureChange * min(1, elapsed / 3600))
    // After a day the random walk is wider than any bias; the filter limits the variance itself.
    let days = min(1, elapsed / 86_400)
    let perRootSecond = Angle(degrees: Constant.biasPerRootSecond).radians
    let biasPerKelvin = Angle(degrees: Constant.biasPerKelvin).radians * kelvins
    let bias = perRootSecond * perRootSecond * days * 86_400 + biasPerKelvin * biasPerKelvin
    let scalePerKelvin = Constant.scalePerKelvin * kelvins
    var later = self
    for i in 0..<3 { later[i, i] += bias }
    for i in 0..<9 {
      let perDay = Constant.matrixPerDay
      later[3 + i, 3 + i] += perDay * perDay * days + (i % 4 == 0 ? scalePerKelvin * scalePerKelvin : 0)
    }
    later[12, 12] += Constant.delayVariancePerDay * days
    return later
  }

  private static var usualTemperatureChange: Double { 5 }

  /// True when the numbers can be the errors of a sensor: finite, of a possible size, with a positive definite
  /// covariance.
  public var isPlausible: Bool {
    let numbers = numbers
    for i in 0..<Self.count {
      let largest = i < 3 ? Self.largestBias : i < 12 ? Constant.largestMatrixElement : Self.largestDelay
      // False for NaN, too.
      guard abs(numbers[i]) <= largest else { return false }
    }
    return information != nil
  }

  /// rad/s; 57 °/s.
  private static var largestBias: Double { 1 }
  /// s.
  private static var largestDelay: Double { 0.5 }
}

// Information adds up in the inverse of the covariance: independent observations add their information, and what a run
// learned is the information at its end less that at its beginning.
extension LearnedSensor {
  private typealias Factor = CholeskyFactor<13>

  /// The values to store after a run that began with `start`: the share `credit` of what the run learned is used.
  ///
  /// A filter treats its observations as independent, but they are not: model errors persist for minutes. For the run's
  /// own attitude this is harmless, because all later data have the same errors. In the next run it would be a false
  /// certainty. With information Λ and Λ·x in place of covariance and value, kept = start + credit · (end − start): the
  /// power prior of Ibrahim and Chen, "Power prior distributions for regression models", Statistical Science 15(1),
  /// 2000. So a run without movement removes nothing, and many runs add up.
  ///
  /// - Parameters:
  ///   - start: the filter's ``OrientationFilter/learned`` before its first reading.
  ///   - credit: 0…1; default 0.25, twice the standard deviation. On recordings of one sensor 0.12 to 0.5 work equally
  ///     well.
  /// - Returns: `start` when one of the two covariances is not positive definite.
  public func credited(since start: LearnedSensor, credit: Double = 0.25) -> LearnedSensor {
    guard let before = start.information, let after = information else { return start }
    let share = min(1, max(0, credit))
    var sum = after
    for i in 0..<Self.count {
      for j in 0..<Self.count { sum[i][j] = before[i][j] + share * (after[i][j] - before[i][j]) }
    }
    guard let covariance = Self.inverse(sum) else { return start }
    let (first, last) = (start.numbers, numbers)
    var weighted = InlineArray<13, Double>(repeating: 0)
    for i in 0..<Self.count {
      for j in 0..<Self.count {
        weighted[i] += (1 - share) * before[i][j] * first[j] + share * after[i][j] * last[j]
      }
    }
    var kept = InlineArray<13, Double>(repeating: 0)
    var result = self
    for i in 0..<Self.count {
      for j in 0..<Self.count { kept[i] += covariance[i][j] * weighted[j] }
      for j in i..<Self.count { result[i, j] = covariance[i][j] }
    }
    result.numbers = kept
    return result
  }

  /// The inverse of the covariance; nil when that is not positive definite.
  private var information: Factor.Matrix? {
    var matrix = Factor.Matrix(repeating: .init(repeating: 0))
    for i in 0..<Self.count {
      for j in 0..<Self.count { matrix[i][j] = self[i, j] }
    }
    return Self.inverse(matrix)
  }

  /// The inverse of a symmetric positive definite matrix, from that of its correlations, so that units do not matter;
  /// nil for any other.
  private static func inverse(_ matrix: Factor.Matrix) -> Factor.Matrix? {
    var deviations = InlineArray<13, Double>(repeating: 0)
    for i in 0..<count {
      let variance = matrix[i][i]
      guard variance > 0, variance.isFinite else { return nil }
      deviations[i] = variance.squareRoot()
    }
    var correlations = matrix
    for i in 0..<count {
      for j in 0..<count { correlations[i][j] = matrix[i][j] / (deviations[i] * deviations[j]) }
    }
    guard let factor = Factor(correlations, smallestPivot: Constant.smallestPivot) else { return nil }
    var result = matrix
    for column in 0..<count {
      let x = factor.inverseColumn(column)
      for i in 0..<count { result[i][column] = x[i] / (deviations[i] * deviations[column]) }
    }
    return result
  }
}

extension LearnedSensor: Equatable {
  public static func == (a: Self, b: Self) -> Bool {
    for i in 0..<Self.covarianceCount where a.covariance[i] != b.covariance[i] { return false }
    return a.gyroscopeBias == b.gyroscopeBias && a.gyroscopeMatrix == b.gyroscopeMatrix
      && a.magnetometerDelay == b.magnetometerDelay
  }
}
