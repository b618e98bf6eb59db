// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath
package import MotionSensing

/// Samples of one device that a file stores together: a sector of a data logger, a second, a page.
///
/// The arrays are buffers that are filled again and again: their first ``count`` elements count, and those of a sensor
/// that the block has not stay empty. A reader that decodes whole blocks takes a few nanoseconds a sample where one that
/// hands over sample after sample takes tens.
package struct SampleBlock: Sendable {
  /// Samples in it.
  package var count = 0
  /// When each was taken, on the recording's clock, ns, ascending.
  package var times: [Int64] = []
  /// Readings of the accelerometer, device axes, in units of ``unit``, with the sign of that unit.
  package var accelerations: [Vector3<Device>] = []
  /// Of the accelerations. Default: g, +1 on the axis that points up at rest.
  package var unit = AccelerationUnit.gravity
  /// rad/s, device axes, right-handed.
  package var angularVelocities: [Vector3<Device>] = []
  /// Magnetic field, device axes, µT.
  package var fields: [Vector3<Device>] = []

  /// Empty, without memory.
  package init() {}

  /// When a sample was taken.
  package func time(_ index: Int) -> SensorInstant { SensorInstant(nanoseconds: times[index]) }

  /// The accelerometer's sample, as ``RecordingReader/next()`` gives it, to the bit.
  package func acceleration(_ index: Int) -> AccelerometerSample {
    AccelerometerSample(time: time(index), reading: accelerations[index], unit: unit)
  }
}

extension SampleBlock {
  /// Makes room for so many samples of these sensors and empties the buffers of all others.
  mutating func reserve(_ samples: Int, _ kinds: SensorKinds) {
    count = samples
    func size(_ vectors: inout [Vector3<Device>], _ isThere: Bool) {
      if !isThere { vectors.removeAll(keepingCapacity: true) }
      guard isThere, vectors.count < samples else { return }
      vectors.append(contentsOf: repeatElement(.zero, count: samples - vectors.count))
    }
    if times.count < samples { times.append(contentsOf: repeatElement(0, count: samples - times.count)) }
    size(&accelerations, kinds.contains(.accelerometer))
    size(&angularVelocities, kinds.contains(.gyroscope))
    size(&fields, kinds.contains(.magnetometer))
  }

  /// Keeps the samples of which `isKept` says so; it is called once for each, in order, and may change its time.
  mutating func filter(_ isKept: (inout Int64) throws(SensorError) -> Bool) throws(SensorError) {
    var kept = 0
    for index in 0..<count {
      var time = times[index]
      guard try isKept(&time) else { continue }
      times[kept] = time
      if !accelerations.isEmpty { accelerations[kept] = accelerations[index] }
      if !angularVelocities.isEmpty { angularVelocities[kept] = angularVelocities[index] }
      if !fields.isEmpty { fields[kept] = fields[index] }
      kept += 1
    }
    count = kept
  }

  /// One of a time's samples: 0 accelerometer, 1 gyroscope, 2 magnetometer; nil for a sensor that the block has not.
  fileprivate func sample(_ index: Int, _ sensor: Int) -> SensorSample? {
    switch sensor {
    case 0 where !accelerations.isEmpty: .accelerometer(acceleration(index))
    case 1 where !angularVelocities.isEmpty:
      .gyroscope(GyroscopeSample(time: time(index), angularVelocity: angularVelocities[index]))
    case 2 where !fields.isEmpty:
      .magnetometer(MagnetometerSample(time: time(index), reading: fields[index], unit: .microtesla))
    default: nil
    }
  }
}

/// Blocks of one file in time order.
protocol SampleBlockSource: AnyObject {
  /// Replaces the block's samples by the next ones, at least one; false at the end.
  func next(_ block: inout SampleBlock) throws(SensorError) -> Bool
}

/// Opens the blocks of a stream; of the sensors in the set only.
typealias SampleBlockOpening =
  @Sendable (ReadingContext, SensorKinds) throws(SensorError) -> any SampleBlockSource

extension SampleStreamPlan {
  /// A stream that is read block by block: samples of one time come in the order accelerometer, gyroscope,
  /// magnetometer.
  init(
    blocks: @escaping SampleBlockOpening, _ kinds: [SensorKinds], place: String, storedBytes: Int64,
    lastInstant: @escaping @Sendable () -> SensorInstant?
  ) {
    let all = kinds.reduce(into: SensorKinds()) { $0.formUnion($1) }
    self.init(
      channels: kinds.map { .init(kind: $0) },
      forms: kinds.contains(.accelerometer) ? [.accelerometer(unit: .gravity)] : [], places: [place],
      storedBytes: storedBytes, lastInstant: lastInstant, openBlocks: blocks
    ) { (context) throws(SensorError) in BlockStream(try blocks(context, all)).next }
  }
}

/// Takes blocks apart, sample by sample.
private final class BlockStream {
  private let source: any SampleBlockSource
  private var block = SampleBlock()
  private var index = 0
  private var sensor = 0

  init(_ source: any SampleBlockSource) { self.source = source }

  func next() throws(SensorError) -> SensorSample? {
    while true {
      while index < block.count {
        let sample = block.sample(index, sensor)
        sensor += 1
        if sensor == 3 { (sensor, index) = (0, index + 1) }
        if let sample { return sample }
      }
      (index, sensor) = (0, 0)
      guard try source.next(&block) else { return nil }
    }
  }
}

extension ReadingContext {
  /// Brings a block's times onto the recording's time line; samples that are not used are left out, and have been
  /// counted or reported.
  func place(
    _ block: inout SampleBlock, in order: inout TimeOrder, at place: @autoclosure () -> SensorError.Place
  ) throws(SensorError) {
    guard block.count > 0, !order.advance(from: block.times[0], to: block.times[block.count - 1], self) else { return }
    try block.filter { (time) throws(SensorError) in
      guard let placed = try self.place(time, in: &order, at: place()) else { return false }
      time = placed
      return true
    }
  }
}
