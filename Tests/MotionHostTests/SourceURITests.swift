// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import Testing

/// Addresses of sources.
@Suite struct SourceURITests {
  @Test func partsAreTakenApart() throws {
    let uri = try SourceURI("Simulate:handheld?rate=200&seed=7")
    #expect(uri.scheme == "simulate" && uri.path == "handheld" && uri.options == ["rate": "200", "seed": "7"])
    #expect(try SourceURI("replay:/a/b c.csv").path == "/a/b c.csv")
    #expect(try SourceURI("replay:walk.csv?").options.isEmpty)
    #expect(try SourceURI("replay:a:b").path == "a:b")
    #expect(try SourceURI("replay:x?name=").options == ["name": ""])
    #expect(try SourceURI("replay:x?a=b=c").options == ["a": "b=c"])
  }

  @Test func escapesAreDecoded() throws {
    #expect(try SourceURI("replay:what%3F%25%26.csv?a%3Db=c%26d").path == "what?%&.csv")
    #expect(try SourceURI("replay:what?a%3Db=c%26d").options == ["a=b": "c&d"])
    #expect(try SourceURI("replay:gr%C3%BC%c3%9fe").path == "grüße")
  }

  /// A lone per cent sign is taken literally: file names hold them.
  @Test(arguments: ["100%", "100%.csv", "5%+1", "a%-1b", "%zz", "%4", "% 4", "50%é"])
  func lonePerCentSignsStay(_ path: String) throws {
    #expect(try SourceURI("replay:\(path)").path == path)
  }

  @Test(arguments: [
    SourceURI(scheme: "replay", path: "a?b&c=d%e.csv", options: ["x=y": "1&2", "é": "?%41", "empty": ""]),
    SourceURI(scheme: "simulate", path: "", options: [:]),
    SourceURI(scheme: "replay", path: "logs/100%25", options: ["speed": "max"]),
  ])
  func descriptionReadsBack(_ uri: SourceURI) throws { #expect(try SourceURI(uri.description) == uri) }

  @Test(arguments: ["", "walk.csv", ":walk", "simulate:x?rate", "simulate:x?=3", "replay:%ff"])
  func mistakesAreToldInASentence(_ text: String) {
    let error = #expect(throws: SensorError.self) { try SourceURI(text) }
    #expect(error?.code == .invalidRequest && error?.message.hasSuffix(".") == true)
  }

  @Test(arguments: [
    ("replay:/data/anna/walk.csv?speed=max", "replay:walk.csv?speed=max"), ("simulate:handheld", "simulate:handheld"),
    ("iio:bmi160?calibration=/data/anna/imu.json", "iio:bmi160?calibration=imu.json"),
    ("airpods:01:23:45:67:89:AB?ownership=yes", "airpods:?ownership=yes"), ("evdev:06:05:04:03:02:01", "evdev:"),
    ("evdev:054c:0ce6", "evdev:054c:0ce6"), ("evdev:/dev/input/event5", "evdev:event5"),
    ("phone:browser?listen=192.168.1.5", "phone:browser"),
    ("phone:?listen=fe80::1", "phone:"), ("phone:?listen=::", "phone:"), ("phone:?listen=::1", "phone:"),
    ("phone:?listen=2001:db8:0:0:0:0:0:1&rate=50", "phone:?rate=50"), ("phone:?listen=2001:db8:1:2:3:4:5::", "phone:"),
    ("phone:?listen=fe80::1%25eth0", "phone:"), ("phone:?listen=[fe80::1%25eth0]:8080", "phone:"),
    ("phone:?listen=[::1]", "phone:"),
    ("phone:?listen=::ffff:192.168.1.5", "phone:"),
  ])
  func anAddressThatIsGivenAwayHoldsNoFolderAndNoDevice(text: String, shared: String) throws {
    #expect(try SourceURI(text).withoutPrivateParts.description == shared)
  }

  /// They have colons as addresses have them.
  @Test(arguments: [
    "10:00:00", "00:00:00.5", "2026-11-23T10:00:00", "2026-11-23T10:00:00.25Z", "2026-11-23 10:00:00+01:00",
  ])
  func timesOfDayAreNoAddresses(_ time: String) throws {
    let uri = SourceURI(scheme: "replay", path: "walk.csv", options: ["from": time])
    #expect(uri.withoutPrivateParts == uri)
  }
}
