// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionRecording
import MotionSensing

/// What `motionctl convert` writes.
package enum ConvertFormat: String, CaseIterable {
  case mcap, ndjson, tum, gcsv, sto, sensorlog, tidy

  /// As people call it.
  package var title: String {
    switch self {
    case .mcap: "MCAP"
    case .ndjson: "NDJSON"
    case .tum: "TUM trajectory"
    case .gcsv: "Gyroflow log"
    case .sto: "OpenSense table"
    case .sensorlog: "SensorLog's layout"
    case .tidy: "tidy CSV"
    }
  }

  /// What a row of it is, for counting.
  package var noun: String {
    switch self {
    case .mcap: "item"
    case .ndjson: "line"
    case .tum: "pose"
    case .gcsv, .sto, .sensorlog, .tidy: "row"
    }
  }

  /// It holds attitudes and nothing else, so raw recordings are fused on the way.
  package var needsMotion: Bool { self == .tum || self == .sto }

  /// What the endings of names say; `.csv` has two forms.
  package static let endings: [(text: String, format: ConvertFormat)] = [
    (".mcap", .mcap), (".ndjson", .ndjson), (".jsonl", .ndjson), (".tum", .tum), (".gcsv", .gcsv), (".sto", .sto),
  ]

  /// By the name of the output; nil when it does not say.
  package init?(path: String) {
    let name = path.lowercased()
    guard let found = Self.endings.first(where: { name.hasSuffix($0.0) }) else { return nil }
    self = found.1
  }
}
