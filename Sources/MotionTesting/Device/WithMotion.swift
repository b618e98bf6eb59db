// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Runs a test on a device that moves by a script.
///
/// ```swift
/// @Test func threeShakesAreCounted() async throws {
///   try await withMotion("rest 1 s, shake 2 s") { device in
///     let counter = ShakeCounter()          // your code: it makes its own CMMotionManager
///     counter.start()
///     try await device.playToEnd()
///     #expect(counter.count > 0)
///   }
/// }
/// ```
///
/// Works in Swift Testing, where tests run in parallel without affecting each other, and in XCTest's async tests.
public func withMotion<Result: Sendable>(
  _ script: MotionScript, _ setup: MotionSetup = MotionSetup(), isolation: isolated (any Actor)? = #isolation,
  _ body: (TestDevice) async throws -> Result
) async rethrows -> Result {
  let device = TestDevice(script, setup)
  return try await device.run(isolation: isolation) { try await body(device) }
}

/// The same with a script as text, such as “rest 1 s, tilt 30° right in 0.5 s, shake”. A mistake in the text, also in
/// that of the headphones, throws an error with its place.
public func withMotion<Result: Sendable>(
  _ text: String, _ setup: MotionSetup = MotionSetup(), isolation: isolated (any Actor)? = #isolation,
  _ body: (TestDevice) async throws -> Result
) async throws -> Result {
  try setup.check()
  let device = TestDevice(try MotionScript(text), setup)
  return try await device.run(isolation: isolation) { try await body(device) }
}

/// The same with a recording of a real phone. Throws also when the file cannot be read.
public func withMotion<Result: Sendable>(
  recording path: String, _ setup: MotionSetup = MotionSetup(), isolation: isolated (any Actor)? = #isolation,
  _ body: (TestDevice) async throws -> Result
) async throws -> Result {
  let device = try TestDevice(recording: path, setup)
  return try await device.run(isolation: isolation) { try await body(device) }
}

/// The same on a device without any motion sensor, to test whether your code reports this.
public func withoutMotion<Result: Sendable>(
  isolation: isolated (any Actor)? = #isolation, _ body: (TestDevice) async throws -> Result
) async rethrows -> Result {
  let device = TestDevice(withoutSensors: MotionSetup())
  return try await device.run(isolation: isolation) { try await body(device) }
}
