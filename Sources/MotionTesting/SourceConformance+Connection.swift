// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

extension SourceConformance {
  /// What is wrong with what a run says of the connection.
  func violationsOfConnection(_ outcome: ConformanceOutcome) -> [String] {
    let reports = outcome.reports
    guard source.info.kinds.contains(.connection) else {
      return reports.isEmpty ? [] : ["Promise 7: the source reports a connection, which its info does not name."]
    }
    guard let first = reports.first, first.sampleCount == 0 else {
      return ["Promise 7: a run does not begin with a report of the connection."]
    }
    // Samples between a report of a disconnection and the next report, or the end.
    let ends = reports.dropFirst().map(\.sampleCount) + [outcome.samples.count]
    let stray = zip(reports, ends).filter { !$0.0.connection.isConnected }.reduce(0) { $0 + $1.1 - $1.0.sampleCount }
    guard stray > 0 else { return [] }
    return ["Promise 7: \(stray) samples come while the source says that it is not connected."]
  }
}
