// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// What one run of a ``ReplaySource`` says of the connection: the recorded reports, in order with the samples.
///
/// A run begins with the state that holds where it begins. A part cut out of a recording need not tell it: until the first report
/// the device is taken as connected, and a sample proves that it is.
struct ReplayedConnection {
  private var state: ConnectionState?
  private var reported: ConnectionState?
  /// True from where the run begins: what lies before it is known, and not told.
  private(set) var hasBegun = false

  /// The run begins with this sample: the state that holds is told.
  mutating func begin(with sample: SensorSample, _ session: SensorSession) throws(SourceStopped) {
    if state == nil, case .fusedMotion(let motion) = sample {
      state = ConnectionState(isConnected: true, location: motion.location)
    }
    try begin(session)
  }

  /// The run begins with a report: what held before it is told.
  mutating func begin(_ session: SensorSession) throws(SourceStopped) {
    hasBegun = true
    try report(session)
  }

  /// A recorded report.
  mutating func take(_ recorded: ConnectionState, _ session: SensorSession) throws(SourceStopped) {
    state = recorded
    if hasBegun { try report(session) }
  }

  /// A sample is about to be delivered.
  mutating func prove(_ session: SensorSession) throws(SourceStopped) {
    state?.isConnected = true
    try report(session)
  }

  private mutating func report(_ session: SensorSession) throws(SourceStopped) {
    let state = state ?? ConnectionState(isConnected: true)
    guard state != reported else { return }
    reported = state
    try session.report(state)
  }
}
