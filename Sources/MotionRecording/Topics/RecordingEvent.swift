// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// Something that happened while a recording was made and is no measurement: it explains what the samples show.
public enum RecordingEvent: Sendable, Hashable {
  /// A device that comes and goes was connected or lost; `device` says which of its sensors speaks: "default", "left", "right".
  case connection(SensorInstant, device: String, isConnected: Bool)
  /// A service became available or unavailable; `authorization` is the raw value of `CMAuthorizationStatus`, 0…3.
  case availability(SensorInstant, service: String, isAvailable: Bool, authorization: Int)
  /// A service failed: domain, code and text as an app sees them.
  case error(SensorInstant, service: String, domain: String, code: Int, message: String)
  /// Samples are missing: from `time` on for `duration`; `lost` is their number where it is known.
  case gap(SensorInstant, service: String, duration: SensorDuration, lost: Int?)
  /// What a person wanted to remember of this moment.
  case annotation(SensorInstant, text: String)

  /// A report of the connection as an event.
  public init(_ state: ConnectionState, at time: SensorInstant) {
    let device =
      switch state.location {
      case .device: "default"
      case .headphoneLeft: "left"
      case .headphoneRight: "right"
      }
    self = .connection(time, device: device, isConnected: state.isConnected)
  }

  /// The state of the connection that the event tells; nil for other events and for a sensor of an unknown name.
  public var connection: ConnectionState? {
    guard case .connection(_, let device, let isConnected) = self else { return nil }
    switch device {
    case "default": return ConnectionState(isConnected: isConnected)
    case "left": return ConnectionState(isConnected: isConnected, location: .headphoneLeft)
    case "right": return ConnectionState(isConnected: isConnected, location: .headphoneRight)
    default: return nil
    }
  }

  /// When it happened, on the recording's clock.
  public var time: SensorInstant {
    switch self {
    case .connection(let time, _, _), .availability(let time, _, _, _), .error(let time, _, _, _, _),
      .gap(let time, _, _, _), .annotation(let time, _):
      time
    }
  }
}
