// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#if os(Linux)

import MotionTesting
import XCTest

/// Programs that poll with a timer, or take updates, tested as they stand on a device that a script moves.
final class ProgramTests: XCTestCase {
  func testThePolledRatesAddUpToTheTurn() throws {
    let turned = try numbers("turned ([-+0-9.]+) degrees", of: "GyroscopePoller", on: "turn 90° left in 1 s")
    XCTAssertEqual(turned.last ?? 0, 90, accuracy: 5)
  }

  func testTheSliderSetsTheRate() throws {
    XCTAssertEqual(try numbers("got +([0-9.]+) Hz", of: "SliderUpdates", on: "shake 10 s"), [100, 50, 10])
  }

  func testThePolledHeadingFollowsTheTurn() throws {
    let headings = try numbers("heading +([0-9.]+)", of: "NorthPoller", on: "rest 500 ms, turn 90° right in 500 ms")
    XCTAssertEqual(headings.last ?? 0, 90, accuracy: 3)
  }

  func testTheStreamOfPosesFollowsTheTilt() throws {
    let rolls = try numbers("roll +([-+0-9.]+)", of: "NorthUpdates", on: "rest 500 ms, tilt 30° right in 500 ms")
    XCTAssertEqual(rolls.last ?? 0, 30, accuracy: 1)
  }

  func testStaleSamplesAreDropped() throws {
    let found = try numbers(
      "(?:gravity.x|,) ([-+0-9.]+) (?:g|dropped)", of: "FreshSamples", on: "tilt 30° right in 0.1 s")
    XCTAssertEqual(found.first ?? 0, 0.5, accuracy: 0.02)
    XCTAssertGreaterThan(found.last ?? 0, 10)
  }

  func testOneReadingGivesThePose() throws {
    XCTAssertEqual(try numbers("face up .* z ([-+0-9.]+) g", of: "OneReading", on: "rest 1 s"), [-1])
  }

  /// Numbers of what a program prints. It runs in a process of its own, because it ends with `exit`: this one, with
  /// the test below alone.
  private func numbers(_ pattern: String, of program: String, on script: String) throws -> [Double] {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = ["ProgramTests.ProgramTests/testProgram"]
    process.environment = ProcessInfo.processInfo.environment.merging(["PROGRAM": program, "SCRIPT": script]) { $1 }
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    XCTAssertEqual(process.terminationStatus, 0, text)
    return text.matches(of: try Regex(pattern, as: (Substring, Substring).self)).compactMap { Double($0.output.1) }
  }

  /// The process of one program: its own `main`, on the main thread, where the run loop is.
  func testProgram() async throws {
    let environment = ProcessInfo.processInfo.environment
    guard let main = mains[environment["PROGRAM"] ?? ""], let script = environment["SCRIPT"] else {
      throw XCTSkip("It runs in the processes of the other tests.")
    }
    try await withMotion(MotionScript(script), MotionSetup { $0.pace = .realTime }) { device in
      device.install()  // the main thread is in no scope
      await withCheckedContinuation { begun in
        RunLoop.main.perform {
          begun.resume()
          exit(main(0, nil))
        }
      }
      await device.advance(by: .seconds(30))
    }
    XCTFail("The program has not ended.")
  }
}

// The programs' entry points, as SwiftPM names them for tests.
private typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
@_silgen_name("GyroscopePoller_main") @Sendable private func gyroscopePoller(_: Int32, _: Arguments?) -> Int32
@_silgen_name("SliderUpdates_main") @Sendable private func sliderUpdates(_: Int32, _: Arguments?) -> Int32
@_silgen_name("NorthPoller_main") @Sendable private func northPoller(_: Int32, _: Arguments?) -> Int32
@_silgen_name("NorthUpdates_main") @Sendable private func northUpdates(_: Int32, _: Arguments?) -> Int32
@_silgen_name("FreshSamples_main") @Sendable private func freshSamples(_: Int32, _: Arguments?) -> Int32
@_silgen_name("OneReading_main") @Sendable private func oneReading(_: Int32, _: Arguments?) -> Int32
private let mains = [
  "GyroscopePoller": gyroscopePoller, "SliderUpdates": sliderUpdates, "NorthPoller": northPoller,
  "NorthUpdates": northUpdates, "FreshSamples": freshSamples, "OneReading": oneReading,
]

#endif
