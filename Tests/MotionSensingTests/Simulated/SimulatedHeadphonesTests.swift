// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import HeadphoneSimulation
import MotionMath
import MotionSensing
import SimulatedSources
import Testing

/// Headphones that come, go and change sides on a known schedule.
@Suite struct SimulatedHeadphonesTests {
  /// Everything that a run says, in order.
  private enum Word: Equatable {
    case connection(Bool, MotionRow.Location)
    case samples(Int)
  }

  private static func headphones(
    _ change: (inout SimulatedHeadphones.Configuration) -> Void = { _ in }
  ) -> SimulatedHeadphones {
    var configuration = SimulatedHeadphones.Configuration()
    configuration.duration = 4
    change(&configuration)
    return SimulatedHeadphones(configuration: configuration)
  }

  /// Runs to the end on a clock that never waits.
  private static func words(
    of source: SimulatedHeadphones, kinds: SensorKinds = [], resumeAfter: SensorInstant? = nil
  ) -> (words: [Word], samples: [SensorSample]) {
    let heard = Lock<(words: [Word], samples: [SensorSample])>(([], []))
    let session = SensorSession(
      clock: FreeRunningClock(), resumeAfter: resumeAfter, request: SensorRequest(kinds: kinds, interval: .zero),
      connectionSink: { connection, _ throws(SourceStopped) in
        heard.withLock { $0.words.append(.connection(connection.isConnected, connection.location)) }
      }
    ) { sample, _ throws(SourceStopped) in
      heard.withLock { heard in
        heard.samples.append(sample)
        if case .samples(let count) = heard.words.last {
          heard.words[heard.words.count - 1] = .samples(count + 1)
        } else {
          heard.words.append(.samples(1))
        }
      }
    }
    try? source.run(session)
    return heard.withLock { $0 }
  }

  @Test(arguments: [true, false]) func theyKeepThePromisesOfASource(_ isFused: Bool) async {
    let source = Self.headphones {
      $0.isFused = isFused
      $0.duration = nil
      $0.events = [.init(.switchSide, at: 1), .init(.takeOff, at: 2), .init(.putOn, at: 2.5)]
    }
    #expect(await SourceConformance(source: source).violations() == [])
    #expect(source.info.kinds.contains(.connection) && source.info.deviceClass == .headphones)
  }

  @Test func eventsDivideTheSamples() {
    let source = Self.headphones {
      $0.events = [
        .init(.switchSide, at: 1), .init(.disconnect, at: 2), .init(.connect, at: 2.5), .init(.takeOff, at: 3),
        .init(.putOn, at: 3.5),
      ]
    }
    #expect(
      Self.words(of: source).words == [
        .connection(true, .headphoneLeft), .samples(50), .connection(true, .headphoneRight), .samples(50),
        .connection(false, .headphoneRight), .connection(true, .headphoneRight), .samples(25),
        .connection(false, .headphoneRight), .connection(true, .headphoneRight), .samples(25),
      ])
  }

  /// Without ear detection it is not noticed that they lie on the table, and they go on sending.
  @Test func withoutEarDetectionTakingOffChangesNothing() {
    let source = Self.headphones {
      $0.detectsWearing = false
      $0.rate = 25
      $0.events = [.init(.takeOff, at: 1)]
    }
    #expect(Self.words(of: source).words == [.connection(true, .headphoneLeft), .samples(100)])
  }

  @Test func whoWantsTheConnectionAloneHearsNothingElse() {
    let source = Self.headphones { $0.events = [.init(.takeOff, at: 1)] }
    #expect(
      Self.words(of: source, kinds: .connection).words == [
        .connection(true, .headphoneLeft), .connection(false, .headphoneLeft),
      ])
  }

  /// The first word of a later run is what is true then.
  @Test func aLaterRunBeginsWithThePresentState() {
    let source = Self.headphones { $0.events = [.init(.switchSide, at: 1), .init(.takeOff, at: 3)] }
    _ = Self.words(of: source)
    let later = Self.words(of: source, resumeAfter: SensorInstant(nanoseconds: 2_000_000_000))
    #expect(
      later.words == [
        .connection(true, .headphoneRight), .samples(49), .connection(false, .headphoneRight),
      ])
    #expect(later.samples.first?.time.nanoseconds == 2_020_000_000)
  }

  /// Fused motion is the trajectory's, bit for bit but for the quaternion's sign.
  @Test func fusedMotionIsTheTruth() throws {
    let source = Self.headphones()
    for case .motion(let sample) in Self.words(of: source).samples {
      let truth = try #require(source.truth(at: sample.time))
      let attitude = try #require(sample.attitude)
      #expect(sample.w >= 0 && sample.angularVelocity == truth.angularVelocity)
      let dot =
        attitude.w * truth.attitude.w + attitude.x * truth.attitude.x + attitude.y * truth.attitude.y + attitude.z
        * truth.attitude.z
      #expect(abs(abs(dot) - 1) < 1e-12)
      let total = sample.gravity + sample.linearAcceleration - truth.specificForce
      #expect(total.dot(total) < 1e-24)
    }
  }

  @Test func noiseComesFromTheSeed() {
    func samples(_ seed: UInt64) -> [SensorSample] {
      Self.words(
        of: Self.headphones {
          $0.isFused = false
          $0.errors = .phone
          $0.seed = seed
        }
      ).samples
    }
    #expect(samples(1) == samples(1) && samples(1) != samples(2))
  }

  @Test func optionsSayWhatHappens() throws {
    let source = try SimulatedHeadphones(options: [
      "rate": "25", "motion": "raw", "errors": "phone", "side": "right", "switchAt": "1:2.5", "takeOffAt": "3",
      "putOnAt": "4", "earDetection": "no", "connected": "no", "connectAt": "0.5", "disconnectAt": "9", "seed": "7",
      "duration": "10", "head": "rest", "speed": "2",
    ])
    let configuration = source.configuration
    #expect(configuration.rate == 25 && !configuration.isFused && configuration.side == .headphoneRight)
    #expect(!configuration.detectsWearing && !configuration.isConnected && configuration.seed == 7)
    #expect(configuration.duration == 10 && configuration.errors == .phone && source.trajectory is Rest)
    #expect(
      Set(configuration.events) == [
        .init(.switchSide, at: 1), .init(.switchSide, at: 2.5), .init(.takeOff, at: 3), .init(.putOn, at: 4),
        .init(.connect, at: 0.5), .init(.disconnect, at: 9),
      ])
  }

  /// Who connects after two seconds is not connected at first.
  @Test func anEventChangesSomething() throws {
    func configuration(_ options: [String: String]) throws -> SimulatedHeadphones.Configuration {
      try SimulatedHeadphones(options: options).configuration
    }
    #expect(try !configuration(["connectAt": "2"]).isConnected)
    #expect(try configuration(["connectAt": "2", "disconnectAt": "1"]).isConnected)
    #expect(try configuration(["connectAt": "2", "connected": "yes"]).isConnected)
    #expect(try !configuration(["putOnAt": "2"]).isWorn && configuration(["putOnAt": "2", "takeOffAt": "1"]).isWorn)
  }

  @Test(arguments: [
    ["rate": "100"], ["motion": "yes"], ["side": "middle"], ["switchAt": "1:x"], ["takeOffAt": "-1"],
    ["earDetection": "maybe"], ["duration": "nan"], ["seed": "-1"], ["errors": "phone"], ["head": "tail"],
    ["magnetometer": "no"], ["connected": ""],
  ])
  func aWrongOptionIsRefusedWithWhatIsAllowed(_ options: [String: String]) throws {
    let error = #expect(throws: SensorError.self) { try SimulatedHeadphones(options: options) }
    #expect(error?.code == .invalidRequest && error?.message.hasSuffix(".") == true)
    #expect(error?.message.contains(options.keys.first ?? "?") == true)
  }
}
