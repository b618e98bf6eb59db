// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// What a subscriber can receive.
package enum HubStream: Sendable, Hashable {
  case accelerometer
  case gyroscope
  case magnetometer
  case airPressure
  case waterPressure
  case temperature
  /// Fused motion; with or without the magnetometer's heading.
  case deviceMotion(usesMagnetometer: Bool)
  /// What steps and activities are made from: every sample of the accelerometer, or of fused motion where there is no
  /// accelerometer, and of gyroscope and barometer where they are. The interval is asked of the source and not applied
  /// to what it delivers, because several sensors are mixed.
  case activity
  /// Whether the device is connected, and nothing else. Subscribers of device motion receive it, too.
  case connection

  /// Those of one sensor each.
  package static let sensors: [HubStream] = [
    .accelerometer, .gyroscope, .magnetometer, .airPressure, .waterPressure, .temperature,
  ]

  /// The sensors that the stream is made from, on a source that measures `available`.
  package func needs(of available: SensorKinds) -> SensorKinds {
    switch self {
    case .accelerometer: .accelerometer
    case .gyroscope: .gyroscope
    case .magnetometer: .magnetometer
    case .airPressure: .airPressure
    case .waterPressure: .waterPressure
    case .temperature: .temperature
    case .deviceMotion(let usesMagnetometer):
      // Motion that the source has fused itself keeps its numbers: nothing raw is needed.
      if available.contains(.motion) {
        .motion
      } else if usesMagnetometer {
        [.accelerometer, .gyroscope, .magnetometer]
      } else {
        .inertial
      }
    case .activity:
      available.contains(.accelerometer) || !available.contains(.motion)
        ? available.intersection([.gyroscope, .airPressure]).union(.accelerometer)
        : available.intersection([.motion, .airPressure])
    // A source that does not report its connection is connected whenever it has not failed: no sensor is needed for
    // that.
    case .connection: available.intersection(.connection)
    }
  }

  /// Whether a source that measures `available` can serve the stream.
  package func isServed(by available: SensorKinds) -> Bool { available.isSuperset(of: needs(of: available)) }

  /// Whether subscribers receive the connection.
  var receivesConnection: Bool {
    switch self {
    case .connection, .deviceMotion: true
    default: false
    }
  }
}

/// What is rare on the way from a source to its subscribers.
package enum HubNews: Sendable {
  /// The device has come or gone, or another of its sensors is active now. A new subscriber gets the present state
  /// at once.
  case connection(ConnectionState)
  /// The source's time has come at least this far, by a sample of any of its sensors; sent a few times a second of that
  /// time to subscribers that asked for it. So the consumer of a sensor that has stopped learns of it.
  case time(SensorInstant)
  /// The source has failed. Sent once per failure; samples resume by themselves when it returns.
  case failed(SensorError)
  /// A recording or a bounded simulation has ended: no more samples will come. `isEmpty`: the subscriber wanted samples,
  /// and there was none.
  case ended(isEmpty: Bool)
}

/// What a subscriber does with what comes. It runs on the source's thread, one call at a time, samples in order
/// of time.
///
/// A closure that is stored in an object: one that leaves a lock's generic body would be wrapped on the heap again at
/// every sample.
package final class HubSink: Sendable {
  /// A sample of the stream: of a single sensor that sensor's own, also where it was sampled together with another; of
  /// ``HubStream/activity`` as the source gave it; of device motion a row that the source has fused itself.
  package let sample: @Sendable (SensorSample) -> Void
  /// Of device motion, the state that the estimator has made of a sample. It is too large for a ``SensorSample``, which
  /// would put it on the heap.
  package let motion: @Sendable (DeviceMotion) -> Void
  package let news: @Sendable (HubNews) -> Void
  /// Whether it is informed how far the source's time has come (``HubNews/time(_:)``). A replacement does not change it.
  package let receivesTime: Bool
  /// Whether it belongs to the device and not to the app: it goes on while the app is in the background.
  package let runsInBackground: Bool
  /// Where it counts the work that it hands on, which an on-demand source then waits for; nil = it does all at once.
  let outstanding: Outstanding?

  /// A sink; what it leaves out is ignored.
  package init(
    outstanding: Outstanding? = nil, receivesTime: Bool = false, runsInBackground: Bool = false,
    sample: @escaping @Sendable (SensorSample) -> Void = { _ in },
    motion: @escaping @Sendable (DeviceMotion) -> Void = { _ in },
    news: @escaping @Sendable (HubNews) -> Void = { _ in }
  ) {
    (self.outstanding, self.receivesTime, self.runsInBackground) = (outstanding, receivesTime, runsInBackground)
    (self.sample, self.motion, self.news) = (sample, motion, news)
  }
}
