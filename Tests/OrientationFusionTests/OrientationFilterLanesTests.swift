// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import OrientationFusionFloat
import OrientationFusionFloatLanes
import OrientationFusionLanes
import Testing

/// Streams side by side, eight in Double and sixteen in Float, give what single filters give (issue 3: 1e-6 rad in Double, 1e-4 rad in Float).
@Suite struct OrientationFilterLanesTests {
  /// What is compared after each reading of the gyroscope.
  struct Sight {
    var attitude: Rotation<Device, EastNorthUp>?
    var angularVelocity: Vector3<Device>
    var isAtRest: Bool
    var hasHeading: Bool
    var headingDeviation: Double
  }

  /// The largest differences: attitude in rad, rate in rad/s, heading's deviation in rad.
  struct Difference {
    var attitude = 0.0
    var rate = 0.0
    var deviation = 0.0
    var count = 0
    /// About what is known, and about rest.
    var disagreements = 0

    mutating func add(_ a: Sight, _ b: Sight) {
      count += 1
      if (a.attitude == nil, a.isAtRest, a.hasHeading) != (b.attitude == nil, b.isAtRest, b.hasHeading) {
        disagreements += 1
      }
      rate = max(rate, (a.angularVelocity - b.angularVelocity).length)
      deviation = max(deviation, abs(a.headingDeviation - b.headingDeviation))
      guard let p = a.attitude, let q = b.attitude else { return }
      attitude = max(attitude, p.angle(to: q))
    }
  }

  /// Runs the streams through lanes in any order that the lanes ask for; `single` and `seen` are the two sides.
  static func compare<let count: Int>(
    _ streams: [[OrientationEvent]], advance: (borrowing InlineArray<count, OrientationEvent?>) -> UInt16,
    single: (Int, OrientationEvent) -> Sight, seen: (Int) -> Sight
  ) -> Difference {
    var difference = Difference()
    var position = Array(repeating: 0, count: streams.count)
    while true {
      var offered = InlineArray<count, OrientationEvent?>(repeating: nil)
      for lane in streams.indices where position[lane] < streams[lane].count {
        offered[lane] = streams[lane][position[lane]]
      }
      guard streams.indices.contains(where: { position[$0] < streams[$0].count }) else { return difference }
      let done = advance(offered)
      for lane in streams.indices where done & (1 << UInt16(lane)) != 0 {
        let event = streams[lane][position[lane]]
        position[lane] += 1
        let expected = single(lane, event)
        if case .angularVelocity = event { difference.add(expected, seen(lane)) }
      }
    }
  }

  static func double(_ streams: [[OrientationEvent]], usesMagnetometer: Bool = true) -> Difference {
    let parameters = Array(repeating: LaneStreams.range, count: streams.count)
    var lanes = OrientationFusionLanes.OrientationFilterLanes(
      parameters: parameters, usesMagnetometer: usesMagnetometer)
    var filters = parameters.map {
      OrientationFusion.OrientationFilter(parameters: $0, usesMagnetometer: usesMagnetometer)
    }
    return compare(
      streams,
      advance: { (events: borrowing InlineArray<8, OrientationEvent?>) in UInt16(lanes.advance(events).rawValue) },
      single: { lane, event in
        filters[lane].update(event)
        let f = filters[lane]
        return Sight(
          attitude: f.attitude, angularVelocity: f.angularVelocity, isAtRest: f.isAtRest, hasHeading: f.hasHeading,
          headingDeviation: f.headingStandardDeviation)
      },
      seen: { lane in
        let r = lanes.reading(lane: lane)
        return Sight(
          attitude: r.attitude, angularVelocity: r.angularVelocity, isAtRest: r.isAtRest, hasHeading: r.hasHeading,
          headingDeviation: r.headingStandardDeviation)
      })
  }

  static func float(_ streams: [[OrientationEvent]], usesMagnetometer: Bool = true) -> Difference {
    let parameters = Array(repeating: LaneStreams.range, count: streams.count)
    var lanes = OrientationFusionFloatLanes.OrientationFilterLanes(
      parameters: parameters, usesMagnetometer: usesMagnetometer)
    var filters = parameters.map {
      OrientationFusionFloat.OrientationFilter(parameters: $0, usesMagnetometer: usesMagnetometer)
    }
    return compare(
      streams, advance: { (events: borrowing InlineArray<16, OrientationEvent?>) in lanes.advance(events).rawValue },
      single: { lane, event in
        filters[lane].update(event)
        let f = filters[lane]
        return Sight(
          attitude: f.attitude, angularVelocity: f.angularVelocity, isAtRest: f.isAtRest, hasHeading: f.hasHeading,
          headingDeviation: f.headingStandardDeviation)
      },
      seen: { lane in
        let r = lanes.reading(lane: lane)
        return Sight(
          attitude: r.attitude, angularVelocity: r.angularVelocity, isAtRest: r.isAtRest, hasHeading: r.hasHeading,
          headingDeviation: r.headingStandardDeviation)
      })
  }

  // Rates, gaps, NaN, saturation, a turned field that re-opens the heading, calibrations, early ends: all in one.
  @Test(arguments: [true, false])
  func streamsOfAnyKindGiveInDoubleWhatSingleFiltersGive(usesMagnetometer: Bool) {
    let difference = Self.double(LaneStreams.different, usesMagnetometer: usesMagnetometer)
    print("lanes, Double, \(usesMagnetometer ? "9D" : "6D"): largest differences \(difference)")
    #expect(difference.count > 5000)
    #expect(difference.disagreements == 0)
    #expect(difference.attitude < 1e-6)
    #expect(difference.rate < 1e-6)
    #expect(difference.deviation < 1e-6)
  }

  @Test(arguments: [true, false])
  func streamsOfAnyKindGiveInFloatWhatSingleFiltersGive(usesMagnetometer: Bool) {
    let difference = Self.float(
      LaneStreams.different + LaneStreams.different.reversed(), usesMagnetometer: usesMagnetometer)
    print("lanes, Float, \(usesMagnetometer ? "9D" : "6D"): largest differences \(difference)")
    #expect(difference.count > 5000)
    #expect(difference.disagreements == 0)
    #expect(difference.attitude < 1e-4)
    #expect(difference.rate < 1e-4)
    #expect(difference.deviation < 1e-3)
  }

  @Test func fewerStreamsThanLanesAreNoDifferent() {
    let difference = Self.double(Array(LaneStreams.different.prefix(3)))
    #expect(difference.attitude < 1e-6)
    #expect(difference.count > 1000)
    let short = Self.float(Array(LaneStreams.different.prefix(11)))
    #expect(short.attitude < 1e-4)
    #expect(short.count > 1000)
  }

  @Test func aReadingForAStreamThatWaitsCorrectsFirst() {
    let events = LaneStreams.events(.init(seconds: 6))
    var lanes = OrientationFusionLanes.OrientationFilterLanes(
      parameters: [LaneStreams.range], usesMagnetometer: true)
    var single = OrientationFusion.OrientationFilter(parameters: LaneStreams.range, usesMagnetometer: true)
    var waited = 0
    for event in events {
      single.update(event)
      switch event {
      case .angularVelocity(let v, let time):
        lanes.update(
          angularVelocity: SIMD8(repeating: v.x), SIMD8(repeating: v.y), SIMD8(repeating: v.z),
          atNanoseconds: SIMD8(repeating: time), in: LaneSet(lane: 0))
      case .specificForce(let v, let time):
        waited += lanes.waiting.isEmpty ? 0 : 1
        lanes.update(
          specificForce: SIMD8(repeating: v.x), SIMD8(repeating: v.y), SIMD8(repeating: v.z),
          atNanoseconds: SIMD8(repeating: time), in: LaneSet(lane: 0))
      case .magneticField(let v, let deviation, let time):
        lanes.update(
          magneticField: SIMD8(repeating: v.x), SIMD8(repeating: v.y), SIMD8(repeating: v.z),
          hardIronDeviation: SIMD8(repeating: deviation), atNanoseconds: SIMD8(repeating: time), in: LaneSet(lane: 0))
      case .forgottenHeading: lanes.forgetHeading(lane: 0)
      }
    }
    #expect(waited > 30)
    let angle = single.attitude.flatMap { a in lanes.reading(lane: 0).attitude.map { a.angle(to: $0) } }
    #expect(angle.map { $0 < 1e-9 } == true)
  }
}
