// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// Whether the device is there, for sources that come and go.
extension MotionHub {
  /// The present state; nil while a source that reports it has not done so in this run.
  ///
  /// A source that has failed is not connected; one that says nothing of its connection is connected otherwise.
  public var connection: ConnectionState? {
    state.withLock { state in
      if state.failure != nil { return ConnectionState(isConnected: false) }
      if let reported = state.connection { return reported }
      return info.kinds.contains(.connection) ? nil : ConnectionState(isConnected: true)
    }
  }

  /// Keeps a report and tells those who listen; a report that says nothing new is not told. A source that speaks after a
  /// failure is back.
  func note(_ connection: ConnectionState) {
    let isNews = state.withLock { state in
      defer { (state.connection, state.failure) = (connection, nil) }
      return state.connection != connection || state.failure != nil
    }
    if isNews { tellConnection() }
  }

  /// Tells the present state to everybody who listens.
  func tellConnection() {
    for listener in subscriptions() where listener.stream.hearsConnection { listener.tellConnection() }
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
