// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionSensing
import MotionServices
import Testing

@testable import MotionHistory

/// How large a history becomes and how fast it answers: `make test-store`, which prints the figures of the
/// documentation.
@Suite(.enabled(if: testSize("SIZES", default: 0) > 0), .serialized) struct SizeTests {
  private let folder = StoreFolder()

  private func megabytes() throws -> Double {
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file)
    return Double(try #require(attributes[.size] as? Int)) / 1e6
  }

  private func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let time = try clock.measure(body)
    return Double(time.components.attoseconds) / 1e15 + Double(time.components.seconds) * 1000
  }

  @Test func threeDaysOfTheAccelerometer() throws {
    let store = try folder.writer()
    let seconds = 3 * 86_400.0
    let one = try #require(batches(from: 0, seconds: 10).first)
    var hour = HistoryRows()
    for start in stride(from: 0, to: seconds, by: 10) {
      var batch = one
      (batch.start, batch.end) = (instant(start).microseconds, instant(start + 9.98).microseconds)
      hour.batches.append(batch)
      guard hour.batches.count == 360 else { continue }
      try store.write(hour, line: line)
      hour = HistoryRows()
    }
    try store.prune(at: day + seconds)
    let size = try megabytes()
    // What ten minutes, and the enumeration of twelve hours, cost.
    let query = try milliseconds {
      let list = try store.accelerometer(from: day + 100_000, to: day + 100_600)
      #expect(Array(list).count == 30_001)
    }
    let before = try residentBytes()
    var count = 0
    let pass = try milliseconds {
      for _ in try store.accelerometer(from: day + 50_000, to: day + 50_000 + 43_200) { count += 1 }
    }
    let growth = try Double(residentBytes() - before) / 1e6
    #expect(count == 2_160_001 && size <= 110)
    print("3 days of 50 Hz: \(size) MB; 10 minutes read in \(query) ms; 12 hours in \(pass) ms, memory + \(growth) MB")
    #expect(growth < 1)
    let removed = try milliseconds { _ = try store.erase(before: nil) }
    print("erasing all: \(removed) ms, \(try megabytes()) MB left")
  }

  @Test func sevenDaysOfStepsWithoutAPause() throws {
    let store = try folder.writer()
    var history = HistoryRows()
    for number in 0..<Int(7 * 86_400 / 2.56) {
      let start = Double(number) * 2.56
      history.steps.append(
        .init(
          start: instant(start), end: instant(start + 2.56), steps: 3 + number % 5, distance: 3.812,
          floorsAscended: number % 2,
          floorsDescended: 0, activeTime: 2.56))
      if number % 40 == 0 {
        history.activities.append(
          .init(start: instant(start), activity: number % 80 == 0 ? .walking : .running, confidence: .high))
      }
      guard history.steps.count == 10_000 else { continue }
      try store.write(history, line: line)
      history = HistoryRows()
    }
    try store.write(history, line: line)
    try store.prune(at: day + 7 * 86_400)
    let size = try megabytes()
    let reader = try #require(try folder.reader())
    var week = StepTotals()
    _ = try reader.steps(from: day, to: day + 60)
    let query = try milliseconds { week = try reader.steps(from: day + 1.1, to: day + 7 * 86_400) }
    let opening = try milliseconds { _ = try folder.reader()?.steps(from: day + 1.1, to: day + 7 * 86_400) }
    // The best of three: the machine may do something else meanwhile, and this is a build for debugging.
    let activities =
      try (0..<3).map { _ in
        try milliseconds { _ = try reader.activities(from: day, to: day + 7 * 86_400) }
      }.min() ?? .infinity
    print(
      "7 days of steps without a pause: \(size) MB; a week's steps in \(query) ms, \(opening) ms with opening; activities in \(activities) ms"
    )
    #expect(size <= 10 && opening <= 20 && activities <= 20 && week.steps > 1_000_000)
  }

  private func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return try #require(Int(text.split(separator: " ")[1])) * sysconf(Int32(_SC_PAGESIZE))
  }
}
