// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import OrientationFusion

#if SINGLE_PRECISION
import OrientationFusionFloat
#endif

/// Up to ``count`` independent orientation filters that go side by side: for recordings, of which there are many at once.
///
/// A processor adds eight numbers in the time of one. So the numbers of the streams stand side by side, and one step of the
/// filter moves all of them. That works while all do the same; but one stream starts, another has a gap, a third is
/// saturated. Such a reading goes to a filter of the stream's own, ``OrientationFusion/OrientationFilter``, which knows all
/// exceptions; at the beginning of its next block the stream returns to its lane. The result is that of the single filter.
///
/// ```swift
/// var lanes = OrientationFilterLanes(parameters: Array(repeating: .phone, count: 8), usesMagnetometer: true)
/// for row in rows {                                    // row n of eight recordings
///   lanes.update(angularVelocity: row.rates, atNanoseconds: row.times, in: row.present)
///   lanes.update(specificForce: row.forces, atNanoseconds: row.times, in: row.present)
/// }
/// ```
///
/// A correction of all streams costs as much as that of one, so they wait for each other: a stream whose block is full is
/// in ``waiting`` until ``closeBlocks()``. A reading for one that waits closes the blocks before it.
///
/// It allocates nothing after its `init`. Each stream's rules about order of time and range are those of the single filter.
public struct OrientationFilterLanes: Sendable {
  /// How many streams there is room for: eight in double precision, sixteen in single.
  public static var count: Int { LaneSet.count }

  /// True: nine degrees of freedom.
  public let usesMagnetometer: Bool
  /// Streams whose block is full and whose correction is still to come: read them only after ``closeBlocks()``.
  public internal(set) var waiting: LaneSet = []

  var filter: OrientationFilter
  var singles: LaneArray<SingleFilter>
  /// The streams that are in their lanes; the others are in `singles`.
  var aboard: LaneSet = []
  var gyroscopeTime: LaneTimes = .zero
  var specificForceTime: LaneTimes = .zero
  var magneticFieldTime: LaneTimes = .zero

  /// Filters that know nothing yet, one for each element of `parameters`, of which the first ``count`` count.
  public init(parameters: [OrientationFusion.OrientationFilter.Parameters], usesMagnetometer: Bool) {
    let parameters = Array(parameters.prefix(Self.count))
    self.usesMagnetometer = usesMagnetometer
    filter = OrientationFilter(parameters: parameters, usesMagnetometer: usesMagnetometer)
    singles = InlineArray { lane in
      SingleFilter(
        parameters: lane < parameters.count ? parameters[lane] : .init(), usesMagnetometer: usesMagnetometer)
    }
  }

  // MARK: Readings

  /// The next reading of the gyroscope of the streams in `set`: rad/s about the axes of each device, bias still in it.
  public mutating func update(
    angularVelocity x: LaneNumbers, _ y: LaneNumbers, _ z: LaneNumbers,
    atNanoseconds times: LaneTimes, in set: LaneSet
  ) {
    if !waiting.isDisjoint(with: set) { closeBlocks() }
    let interval = Self.seconds(from: gyroscopeTime, to: times)
    let raw = Vector3<Device>(x: Lanes(x), y: Lanes(y), z: Lanes(z))
    // The length is at least as large as each component; between the two the single filter knows.
    let limit = min(filter.coefficients.saturationThreshold, Lanes(Plausible.angularVelocity))
    let isOrdinary =
      interval > 0 && interval <= Lanes(SingleFilter.longestOrdinaryInterval) && raw.dot(raw) < limit * limit
    let active = stay(set, where: isOrdinary)
    if active == .all {
      step(to: raw, interval: interval, where: true)
      gyroscopeTime = times
    } else if !active.isEmpty {
      let mask = LaneMask(active)
      let previous = filter.state.rawRate
      step(
        to: Vector3(
          x: select(mask, raw.x, previous.x), y: select(mask, raw.y, previous.y), z: select(mask, raw.z, previous.z)),
        interval: select(mask, interval, 0), where: mask)
      Self.take(times, of: active, into: &gyroscopeTime)
    }
    guard active != set else { return }
    set.subtracting(active).forEach { lane in
      singles[lane].update(
        angularVelocity: MotionMath.Vector3(x: Double(x[lane]), y: Double(y[lane]), z: Double(z[lane])),
        atNanoseconds: times[lane])
      board(lane)
    }
  }

  @inline(__always)
  private mutating func step(to raw: Vector3<Device>, interval: Lanes, where mask: Mask) {
    filter.step(to: raw, interval: interval, where: mask)
    let isFull = mask && filter.state.sums.duration >= filter.coefficients.blockDuration
    if any(isFull) { waiting.formUnion(isFull.set) }
  }

  /// The next reading of the accelerometer of the streams in `set`: specific force in m/s² along the axes of each device,
  /// +9.81 on the axis that points up at rest.
  public mutating func update(
    specificForce x: LaneNumbers, _ y: LaneNumbers, _ z: LaneNumbers,
    atNanoseconds times: LaneTimes, in set: LaneSet
  ) {
    if !waiting.isDisjoint(with: set) { closeBlocks() }
    let interval = Self.seconds(from: specificForceTime, to: times)
    let age = Self.seconds(from: gyroscopeTime, to: times)
    let limit = Lanes(Plausible.specificForce)
    let force = Vector3<Device>(x: Lanes(x), y: Lanes(y), z: Lanes(z))
    let isOrdinary =
      interval > 0 && interval <= 0.25 && abs(age) <= 0.1 && force.dot(force) <= limit * limit
    let active = stay(set, where: isOrdinary)
    if active == .all {
      add(specificForce: force, age: age, interval: interval, where: true)
      specificForceTime = times
    } else if !active.isEmpty {
      let mask = LaneMask(active)
      add(
        specificForce: force.selected(mask), age: select(mask, age, 0), interval: select(mask, interval, 0), where: mask
      )
      Self.take(times, of: active, into: &specificForceTime)
    }
    guard active != set else { return }
    set.subtracting(active).forEach { lane in
      singles[lane].update(
        specificForce: MotionMath.Vector3(x: Double(x[lane]), y: Double(y[lane]), z: Double(z[lane])),
        atNanoseconds: times[lane])
    }
  }

  @inline(__always)
  private mutating func add(specificForce force: Vector3<Device>, age: Lanes, interval: Lanes, where mask: Mask) {
    filter.state.specificForceInterval += select(mask, 0.1 * (interval - filter.state.specificForceInterval), 0)
    filter.state.rest.add(
      specificForce: force, interval: interval, smoothing: filter.coefficients.restSmoothing,
      squaredLimit: filter.coefficients.restSquaredForceLimit, where: mask)
    filter.add(specificForce: force, age: age, interval: interval)
  }

  /// The next reading of the magnetometer of the streams in `set`: tesla along the axes of each device, hard iron removed as
  /// far as it is known; `hardIronDeviation` is one standard deviation of what remains, T.
  public mutating func update(
    magneticField x: LaneNumbers, _ y: LaneNumbers, _ z: LaneNumbers,
    hardIronDeviation: LaneNumbers, atNanoseconds times: LaneTimes, in set: LaneSet
  ) {
    guard usesMagnetometer else { return }
    if !waiting.isDisjoint(with: set) { closeBlocks() }
    let interval = Self.seconds(from: magneticFieldTime, to: times)
    let age = Self.seconds(from: gyroscopeTime, to: times)
    let limit = Lanes(Plausible.magneticField)
    let field = Vector3<Device>(x: Lanes(x), y: Lanes(y), z: Lanes(z))
    let isOrdinary =
      interval > 0 && abs(age) <= 0.1 && Lanes(hardIronDeviation) == filter.state.hardIronDeviation
      && field.dot(field) <= limit * limit
    let active = stay(set, where: isOrdinary)
    if active == .all {
      filter.add(magneticField: field, age: age, count: 1)
      magneticFieldTime = times
    } else if !active.isEmpty {
      let mask = LaneMask(active)
      filter.add(magneticField: field.selected(mask), age: select(mask, age, 0), count: select(mask, 1, 0))
      Self.take(times, of: active, into: &magneticFieldTime)
    }
    guard active != set else { return }
    set.subtracting(active).forEach { lane in
      singles[lane].update(
        magneticField: MotionMath.Vector3(x: Double(x[lane]), y: Double(y[lane]), z: Double(z[lane])),
        hardIronDeviation: Double(hardIronDeviation[lane]), atNanoseconds: times[lane])
    }
  }

  /// Corrects the streams that wait.
  public mutating func closeBlocks() {
    guard !waiting.isEmpty else { return }
    // A stream in the middle of its block closes it later, alone.
    aboard.subtracting(waiting).forEach { leave($0) }
    filter.closeBlock()
    waiting = []
    let isBroken = !filter.isFinite() && LaneMask(aboard)
    guard any(isBroken) else { return }
    isBroken.set.forEach { lane in
      leave(lane)
      singles[lane].mendNumbers()
    }
  }

  /// ``OrientationFusion/OrientationFilter/forgetHeading()`` of one stream.
  public mutating func forgetHeading(lane: Int) {
    if waiting.contains(LaneSet(lane: lane)) { closeBlocks() }
    leave(lane)
    singles[lane].forgetHeading()
  }
}

extension Vector3 {
  /// Zero where the condition does not hold.
  @inline(__always)
  fileprivate func selected(_ mask: Mask) -> Self {
    Self(x: select(mask, x, 0), y: select(mask, y, 0), z: select(mask, z, 0))
  }
}
