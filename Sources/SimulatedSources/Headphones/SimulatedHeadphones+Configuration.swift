// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

extension SimulatedHeadphones {
  /// Something that happens to the headphones at a known time.
  public struct Event: Hashable, Sendable {
    /// What happens.
    public enum Action: Hashable, Sendable {
      /// The link comes up: taken out of the case, back in range.
      case connect
      /// The link is lost.
      case disconnect
      /// Both buds are taken out of the ears, or the headband off the head.
      case takeOff
      /// They are worn again.
      case putOn
      /// The other bud speaks from now on.
      case switchSide
    }

    /// Seconds on the trajectory's time line.
    public var time: Double
    /// What happens then.
    public var action: Action

    /// An event at `time` seconds.
    public init(_ action: Action, at time: Double) {
      self.action = action
      self.time = time
    }
  }

  /// What simulated headphones can do, and what happens to them.
  ///
  /// The default is a pair that is connected, worn, notices that it is, and delivers fused motion of the left bud at 50 Hz, for
  /// ever.
  public struct Configuration: Hashable, Sendable {
    /// Hz: 25 or 50 on real headphones. Default 50.
    public var rate = 50.0
    /// True: the headphones fuse their motion themselves. False: accelerometer and gyroscope, for our filter. Default true.
    public var isFused = true
    /// The side that speaks first. Default left.
    public var side = FusedMotionSample.Location.headphoneLeft
    /// Automatic ear detection: whether they notice that they are worn. Default true.
    public var detectsWearing = true
    /// Whether the link is up at the beginning. Default true.
    public var isConnected = true
    /// Whether they are worn at the beginning. Default true.
    public var isWorn = true
    /// In any order; of two at the same time the earlier in the list comes first.
    public var events: [Event] = []
    /// Errors of the raw sensors; fused motion has none. Default ideal.
    public var errors = DeviceErrorModel.ideal
    /// Chooses the noise: the same seed, the same numbers.
    public var seed: UInt64 = 1
    /// Seconds after which the source ends; nil = never.
    public var duration: Double?
    /// `.onDemand`: the simulation waits for slow consumers; `.live`: it is treated like hardware.
    public var pacing = SensorInfo.Pacing.onDemand

    /// The default configuration.
    public init() {}
  }
}

/// What is true of the headphones at one time.
struct HeadphoneState {
  var isLinked: Bool
  var isWorn: Bool
  var side: FusedMotionSample.Location
  let detectsWearing: Bool

  init(_ configuration: SimulatedHeadphones.Configuration) {
    isLinked = configuration.isConnected
    isWorn = configuration.isWorn
    side = configuration.side
    detectsWearing = configuration.detectsWearing
  }

  mutating func apply(_ action: SimulatedHeadphones.Event.Action) {
    switch action {
    case .connect: isLinked = true
    case .disconnect: isLinked = false
    case .takeOff: isWorn = false
    case .putOn: isWorn = true
    case .switchSide: side = side == .headphoneLeft ? .headphoneRight : .headphoneLeft
    }
  }

  var connection: ConnectionState {
    ConnectionState(isConnected: isLinked && (isWorn || !detectsWearing), location: side)
  }
}
