// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What `motionctl convert` writes.
package enum ConvertFormat: String, CaseIterable {
  case mcap, ndjson, tidy

  /// As people call it.
  package var title: String {
    switch self {
    case .mcap: "MCAP"
    case .ndjson: "NDJSON"
    case .tidy: "tidy CSV"
    }
  }

  /// What a row of it is, for counting.
  package var noun: String {
    switch self {
    case .mcap: "item"
    case .ndjson: "line"
    case .tidy: "row"
    }
  }

  /// What the endings of names say.
  package static let endings: [(text: String, format: ConvertFormat)] = [
    (".mcap", .mcap), (".ndjson", .ndjson), (".jsonl", .ndjson), (".csv", .tidy),
  ]

  /// By the name of the output; nil when it does not say.
  package init?(path: String) {
    let name = path.lowercased()
    guard let found = Self.endings.first(where: { name.hasSuffix($0.text) }) else { return nil }
    self = found.format
  }
}
