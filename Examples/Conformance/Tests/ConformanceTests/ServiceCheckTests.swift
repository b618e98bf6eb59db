// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Conformance

/// The checks of the services beside motion.
@Suite struct ServiceCheckTests {
  private let day = Date(timeIntervalSinceReferenceDate: 0)

  @Test func altitudes() {
    let right = (0..<5).map { Reading(time: Double($0), value: Vector(x: Double($0), y: 101.3, z: 0)) }
    #expect(AltitudeChecks.relative(right).agree)
    #expect(AltitudeChecks.rate(right.map(\.time), 0.1).agree)
    #expect(!AltitudeChecks.relative(Array(right.dropFirst())).agree)
    #expect(!AltitudeChecks.rate(right.map { $0.time * 0.1 }, 0.1).agree)
    let pascal = right.map { Reading(time: $0.time, value: Vector(x: 0, y: 101_300, z: 0)) }
    #expect(!AltitudeChecks.relative(pascal).agree)
    #expect(AltitudeChecks.absolute(AbsoluteAltitude(altitude: 520, accuracy: 3, precision: 0.5)).agree)
    #expect(!AltitudeChecks.absolute(AbsoluteAltitude(altitude: 520, accuracy: -1, precision: 0.5)).agree)
  }

  @Test func steps() throws {
    let steps = (1...5).map {
      Steps(start: day, end: day, count: $0 * 10, distance: Double($0) * 7, pace: 0.8, cadence: 1.9)
    }
    #expect(StepChecks.cumulative(steps, from: day).agree)
    #expect(!StepChecks.cumulative(steps.reversed(), from: day).agree)
    #expect(!StepChecks.cumulative(steps, from: day.addingTimeInterval(-60)).agree)
    #expect(try StepChecks.live(steps).agree)
    #expect(StepChecks.counted([10, 48], pedometer: 50).agree)
    #expect(!StepChecks.counted([10, 20], pedometer: 50).agree)
    let kilometres = steps.map {
      Steps(start: day, end: day, count: $0.count, distance: ($0.distance ?? 0) / 1000, pace: 800, cadence: 114)
    }
    try #expect(StepChecks.live(kilometres).agree == false)
  }

  @Test func activities() {
    let walking = Activity(flags: [false, false, true, false, false, false], confidence: 2, start: day)
    let unknown = Activity(flags: [true, false, false, false, false, false], confidence: 0, start: day)
    #expect(ActivityChecks.changesOnly([unknown, walking]).agree)
    #expect(!ActivityChecks.changesOnly([unknown, walking, walking]).agree)
  }

  @Test func recordings() {
    let samples = (0..<100).map {
      Recorded(
        date: day.addingTimeInterval(Double($0) * 0.02), identifier: 7, acceleration: Vector(x: 0, y: 0, z: -1))
    }
    let right = Recording(from: day, to: day.addingTimeInterval(2), samples: samples)
    #expect(RecorderChecks.rate(samples).agree)
    #expect(RecorderChecks.bounds(right).agree)
    #expect(RecorderChecks.identifiers(samples).agree)
    #expect(!RecorderChecks.rate(samples.filter { Int($0.date.timeIntervalSinceReferenceDate * 50) % 2 == 0 }).agree)
    #expect(!RecorderChecks.bounds(Recording(from: day.addingTimeInterval(60), to: day, samples: samples)).agree)
    let each = samples.enumerated().map {
      Recorded(date: $1.date, identifier: UInt64(100 - $0), acceleration: $1.acceleration)
    }
    #expect(!RecorderChecks.identifiers(each).agree)
  }

  @Test func batches() {
    func batches(_ step: Double) -> [[Double]] {
      (0..<3).map { batch in (0..<800).map { Double(batch * 800 + $0) * step } }
    }
    #expect(BatchChecks.batches(batches(1.0 / 800)).agree)
    #expect(!BatchChecks.batches(batches(1.0 / 100)).agree)
    #expect(!BatchChecks.batches(batches(1.0 / 800).map { Array($0.prefix(400)) }).agree)
  }

  @Test func dives() throws {
    var log = DiveLog(maximum: 6)
    for third in 0..<120 {
      let depth = min(6.5, Double(third) * 0.1)
      let state = depth < 0.2 ? 100 : depth < 1 ? 200 : depth < 5 ? 300 : depth < 6 ? 400 : 500
      let date = day.addingTimeInterval(Double(third) / 3)
      log.measurements.append(
        Measured(
          date: date, depth: state == 100 ? nil : depth, pressure: state == 100 ? nil : 101 + depth * 10,
          surfacePressure: 101, state: state))
      if state > 100 {
        log.temperatures.append(
          Reading(time: date.timeIntervalSinceReferenceDate, value: Vector(x: 18, y: 0.5, z: 0)))
      }
    }
    #expect(try DiveChecks.measurements(log).agree)
    #expect(try DiveChecks.states(log).agree)
    #expect(try DiveChecks.approach(log).agree)
    #expect(try DiveChecks.temperatures(log).agree)
    var wrong = log
    for index in wrong.measurements.indices {
      wrong.measurements[index].depth = (wrong.measurements[index].depth ?? 0) * 3.28
    }
    wrong.temperatures = wrong.temperatures.filter { Int($0.time) % 2 == 0 }
    try #expect(DiveChecks.measurements(wrong).agree == false)
    try #expect(DiveChecks.states(wrong).agree == false)
    try #expect(DiveChecks.approach(wrong).agree == false)
    try #expect(DiveChecks.temperatures(wrong).agree == false)
  }

  @Test func archivesAndVersions() {
    var read = rightSamples[10]
    #expect(ArchiveChecks.same(rightSamples[10], read).agree)
    read.rate = 2 * read.rate
    #expect(!ArchiveChecks.same(rightSamples[10], read).agree)
    #expect(HealthChecks.version(nil).agree)
    #expect(HealthChecks.version("1.2.3").agree)
    #expect(!HealthChecks.version("1.2").agree)
  }
}
