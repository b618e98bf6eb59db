// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionNetwork
import MotionSensing
import PhoneFormats
import Testing

@testable import NetworkSources

/// SensaGram and ZIG SIM over UDP of the loopback.
@Suite(.serialized) struct DatagramTests {
  private let clock = HandClock()

  private func running() throws -> (DatagramSource, RunningSource, ListeningAddress) {
    let source = try DatagramSource(options: ["listen": "127.0.0.1", "port": "0"])
    let run = RunningSource(source, clock: clock)
    #expect(waitUntil { source.address != nil })
    return (source, run, try #require(source.address))
  }

  private func send(_ text: String, _ descriptor: Int32) {
    #expect(Socket.send(descriptor, Array(text.utf8)[...]) == .done(text.utf8.count))
  }

  @Test func sensaGramGivesEverySampleWithItsTime() throws {
    let (source, run, address) = try running()
    let descriptor = try Socket.connectDatagrams(address)
    defer { close(descriptor) }
    for number in 0..<100 {
      let time = 77_000_000_000 + number * 20_000_000
      send(#"{"type":"android.sensor.gyroscope","timestamp":\#(time),"values":[1,2,\#(number)]}"#, descriptor)
      send(#"{"type":"android.sensor.pressure","timestamp":\#(time),"values":[1013.25]}"#, descriptor)
      #expect(waitUntil { source.statistics.messages == 2 * (number + 1) })
      clock.advance(by: .milliseconds(20))
    }
    send("nonsense", descriptor)
    send(#"{"type":"android.sensor.light","timestamp":1,"values":[3]}"#, descriptor)
    // Another phone.
    let other = try Socket.connectDatagrams(address)
    send(#"{"type":"android.sensor.gyroscope","timestamp":5,"values":[9,9,9]}"#, other)
    close(other)
    #expect(waitUntil { source.statistics.otherPhones == 1 && source.statistics.malformedMessages == 1 })
    #expect(waitUntil { run.samples.count == 200 })
    run.stop()
    let rates = run.samples.map(\.sample).only(.gyroscope)
    #expect(Set(zip(rates, rates.dropFirst()).map { ($1.time - $0.time).nanoseconds }) == [20_000_000])
    #expect(run.samples.allSatisfy { if case .pressure(let p) = $0.sample { p.pressure == 101_325 } else { true } })
  }

  /// Both apps on one phone, one after the other: each in its own units and sign.
  @Test func anotherAppBeginsASessionWithItsOwnUnits() throws {
    let (source, run, address) = try running()
    let descriptor = try Socket.connectDatagrams(address)
    defer { close(descriptor) }
    for number in 0..<50 {
      let time = 77_000_000_000 + number * 20_000_000
      send(#"{"type":"android.sensor.accelerometer","timestamp":\#(time),"values":[0,0,9.80665]}"#, descriptor)
      #expect(waitUntil { source.statistics.messages == number + 1 })
      clock.advance(by: .milliseconds(20))
    }
    #expect(waitUntil { run.samples.count == 50 })
    for number in 50..<100 {
      send(
        #"{"sensordata":{"accel":{"x":0,"y":0,"z":0},"gravity":{"x":0,"y":0,"z":-1}}}"#, descriptor)
      #expect(waitUntil { source.statistics.messages == number + 1 })
      clock.advance(by: .milliseconds(20))
    }
    #expect(waitUntil { run.samples.count > 90 })
    run.stop()
    #expect(source.statistics.sessions == 2)
    for case .accelerometer(let sample) in run.samples.map(\.sample) {
      #expect(abs(sample.specificForce.z - 9.80665) < 1e-9)
    }
  }

  @Test func zigSimIsInCoreMotionsUnits() throws {
    let message = try DatagramMessage(
      Array(
        #"{"device":{"name":"iPhone"},"timestamp":"2026","sensordata":{"accel":{"x":0.5,"y":0,"z":0.25},"gravity":{"x":0,"y":0,"z":-1},"gyro":{"x":0.1,"y":0.2,"z":0.3},"quaternion":{"x":0,"y":0,"z":0,"w":1}}}"#
          .utf8), arrival: SensorInstant(nanoseconds: 42))
    guard case .zigSim(let readings) = message else {
      Issue.record("another app")
      return
    }
    #expect(
      readings == [
        PhoneReading(sensor: .accelerometer, stamp: 42, values: .vector(Vector3(x: 0.5, y: 0, z: -0.75))),
        PhoneReading(sensor: .correctedGyroscope, stamp: 42, values: .vector(Vector3(x: 0.1, y: 0.2, z: 0.3))),
      ])
    #expect(message.units.accelerationUnit(of: .accelerometer) == .reversedGravity)
  }

  @Test(arguments: [
    "", "{}", "[", #"{"type":"android.sensor.accelerometer","timestamp":1,"values":[1,2]}"#,
    #"{"type":"android.sensor.accelerometer","timestamp":-1,"values":[1,2,3]}"#,
    #"{"type":"android.sensor.accelerometer","timestamp":1,"values":[1,2,NaN]}"#,
    #"{"sensordata":{"gyro":{"x":1,"y":2}}}"#, #"{"sensordata":"#,
  ])
  func whatIsNoMessageIsNotRead(text: String) {
    #expect(throws: JSONScanner.Failure.self) {
      try DatagramMessage(Array(text.utf8), arrival: SensorInstant(nanoseconds: 0))
    }
  }
}

extension DatagramSource: BlockingSource {}
