// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// Whether the device is there, for sources that come and go.
extension MotionHub {
  /// The present state; nil while a source that reports it has not done so yet.
  public var connection: ConnectionState? { state.withLock { $0.connection } }

  /// A source that says nothing of its connection is connected whenever it has not failed.
  static func presumedConnection(of info: SensorInfo) -> ConnectionState? {
    info.kinds.contains(.connection) ? nil : ConnectionState(isConnected: true)
  }

  var presumedConnection: ConnectionState? { Self.presumedConnection(of: info) }

  /// Keeps a report and tells those who listen; a report that says nothing new is not told.
  func note(_ connection: ConnectionState) {
    let listeners = state.withLock { state -> [Subscription] in
      guard state.connection != connection else { return [] }
      state.connection = connection
      return state.subscriptions
    }
    for listener in listeners where listener.stream.hearsConnection { listener.tellConnection() }
  }

  /// Whether the source has to run: somebody listens to more than what is known without it.
  func isWanted(_ state: State) -> Bool {
    state.subscriptions.contains { $0.stream != .connection || info.kinds.contains(.connection) }
  }
}

extension HubStream {
  /// Whether a listener is told about the connection.
  var hearsConnection: Bool {
    switch self {
    case .connection, .deviceMotion: true
    default: false
    }
  }
}
