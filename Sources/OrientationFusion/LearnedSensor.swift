// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// What a filter has found out about its sensors, to give to the next filter over the same device.
///
/// Scale and misalignment of a gyroscope are made in the factory and stay: who learned them yesterday need not learn them
/// again today. The bias moves with the temperature; its value is a better guess than zero and no more than that. Each
/// number comes with its doubt, and the doubts with what they have in common: a covariance matrix, as the filter had it.
///
/// ```swift
/// let before = filter.learned
/// …                                                          // a run
/// let learned = filter.learned.credited(since: before)
/// …                                                          // a day later
/// let next = OrientationFilter(usesMagnetometer: true, learned: learned.widened(elapsed: 86_400))
/// ```
///
/// A plain value of numbers: how it is kept is the business of others.
public struct LearnedSensor: Sendable {
  /// The numbers that go together: bias x, y, z (rad/s), the nine elements of the matrix row by row, the delay (s).
  public static var count: Int { 13 }
  /// Elements of the covariance on and right of its diagonal.
  public static var covarianceCount: Int { 91 }

  /// What the gyroscope reads when the device does not turn, rad/s, device axes.
  public var gyroscopeBias: Vector3<Device>
  /// Scale errors (diagonal) and misalignment (beside it), relative and rad: true rate = (1 + matrix) · reading − bias.
  public var gyroscopeMatrix: Matrix3
  /// How much later than the gyroscope's the magnetometer's readings are, s.
  public var magnetometerDelay: Double
  /// The covariance of these, in the order of ``count``: the elements on and right of the diagonal, row by row.
  public var covariance: InlineArray<91, Double>

  /// A stored estimate; the filter looks at the numbers before it believes them.
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

  /// The same with the doubts of a later day.
  ///
  /// - Parameters:
  ///   - elapsed: seconds since it was learned, 0 or more; infinite when nobody knows.
  ///   - temperatureChange: by how many kelvins the sensor is warmer or colder than then; nil when nobody knows: then 5 K are
  ///     assumed, those of a device that is indoors now as it was then.
  ///
  /// The bias takes a random walk of 0.005 °/s/√s, as in ``OrientationFilter/Parameters/gyroscopeBiasDrift``, and moves by
  /// 0.015 °/s per kelvin; the scale by 0.01 % per kelvin: typical values of the data sheets of consumer gyroscopes. After a day
  /// every element of the matrix may differ by 0.03 %, and the delay by 1 ms: stress of the housing, other settings of the chip.
  public func widened(elapsed: Double, temperatureChange: Double? = nil) -> LearnedSensor {
    let elapsed = max(0, elapsed)
    // A device that was warm a minute ago still is.
    let kelvins = abs(temperatureChange ?? Self.usualTemperatureChange * min(1, elapsed / 3600))
    // After a day the walk is wider than any bias; a filter knows that without being told.
    let days = min(1, elapsed / 86_400)
    let perRootSecond = Angle(degrees: 0.005).radians
    let biasPerKelvin = Angle(degrees: 0.015).radians * kelvins
    let bias = perRootSecond * perRootSecond * days * 86_400 + biasPerKelvin * biasPerKelvin
    let scalePerKelvin = 1e-4 * kelvins
    var later = self
    for i in 0..<3 { later[i, i] += bias }
    for i in 0..<9 {
      later[3 + i, 3 + i] += 3e-4 * 3e-4 * days + (i % 4 == 0 ? scalePerKelvin * scalePerKelvin : 0)
    }
    later[12, 12] += 1e-6 * days
    return later
  }

  private static var usualTemperatureChange: Double { 5 }

  /// True when it may be the errors of a sensor: finite, of a possible size, and with a covariance that is one.
  public var isPlausible: Bool {
    let numbers = numbers
    for i in 0..<Self.count {
      let largest = i < 3 ? Self.largestBias : i < 12 ? Self.largestMatrixElement : Self.largestDelay
      // False for NaN, too.
      guard abs(numbers[i]) <= largest else { return false }
    }
    return information != nil
  }

  /// rad/s; 57 °/s.
  private static var largestBias: Double { 1 }
  private static var largestMatrixElement: Double { 0.2 }
  /// s.
  private static var largestDelay: Double { 0.5 }
}

extension LearnedSensor: Equatable {
  public static func == (a: Self, b: Self) -> Bool {
    for i in 0..<Self.covarianceCount where a.covariance[i] != b.covariance[i] { return false }
    return a.gyroscopeBias == b.gyroscopeBias && a.gyroscopeMatrix == b.gyroscopeMatrix
      && a.magnetometerDelay == b.magnetometerDelay
  }
}
