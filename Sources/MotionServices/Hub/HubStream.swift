// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// What a subscriber can listen to.
package enum HubStream: Sendable, Hashable {
  case accelerometer
  case gyroscope
  case magnetometer
  case airPressure
  case waterPressure
  case temperature
  /// Fused motion; with or without the magnetometer's heading.
  case deviceMotion(usesMagnetometer: Bool)
  /// What steps and activities are made from: every sample of the accelerometer, or of fused motion where there is no accelerometer,
  /// and of gyroscope and barometer where they are. The interval is asked of the source and not applied to what it delivers, because
  /// several sensors are mixed.
  case activity
  /// Whether the device is connected, and nothing else. Subscribers of device motion receive it, too.
  case connection

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
    // A source that does not report its connection is connected whenever it has not failed: no sensor is needed to know that.
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

/// What a subscriber receives. Samples come on the source's thread, in order of time.
package enum HubEvent: Sendable {
  case accelerometer(AccelerometerSample)
  case gyroscope(GyroscopeSample)
  case magnetometer(MagnetometerSample)
  case pressure(PressureSample)
  case temperature(TemperatureSample)
  case motion(DeviceMotion)
  case row(MotionRow)
  /// A sample as it came from the source, for ``HubStream/activity``.
  case sample(SensorSample)
  /// The device has come or gone, or another of its sensors is active now. A new subscriber receives the present state at once.
  case connection(ConnectionState)
  /// The source's time has come at least this far, by a sample of any of its sensors; sent a few times a second of that time to
  /// subscribers that asked for it. So the consumer of a sensor that has stopped learns of it.
  case time(SensorInstant)
  /// The source has failed. Sent once per failure; samples resume by themselves when it returns.
  case failed(SensorError)
  /// A recording or a bounded simulation has ended: no more samples will come.
  case ended
}
