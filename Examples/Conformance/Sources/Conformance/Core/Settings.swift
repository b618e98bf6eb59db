// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the environment says about this run. Everything has a default, because on a phone nobody sets variables.
struct Settings: Sendable {
  static let current = Settings(ProcessInfo.processInfo.environment)

  /// `CONFORMANCE_HANDS=no`: nobody can move the device.
  let hasHands: Bool
  /// `CONFORMANCE_GROUPS=attitude,frames`: these groups only.
  let groups: Set<Statement.Group>
  /// `CONFORMANCE_STATEMENTS=S13,D1`: these only.
  let codes: Set<String>?
  /// `CONFORMANCE_FILE`: the difference file.
  let file: URL
  /// `CONFORMANCE_PATIENCE=0.1`: a tenth of the usual time for what a person, or something slow, has to do.
  let patience: Double

  /// Values that mean nothing: groups that there are not, and no number. A test fails for them.
  let unknown: [String]

  init(_ environment: [String: String]) {
    func list(_ name: String) -> [String]? { environment[name]?.split(separator: ",").map(String.init) }
    hasHands = environment["CONFORMANCE_HANDS"] != "no"
    let names = list("CONFORMANCE_GROUPS") ?? Statement.Group.allCases.map(\.rawValue)
    groups = Set(names.compactMap(Statement.Group.init))
    codes = list("CONFORMANCE_STATEMENTS").map(Set.init)
    let factor = environment["CONFORMANCE_PATIENCE"] ?? "1"
    patience = Double(factor) ?? 1
    unknown = names.filter { Statement.Group(rawValue: $0) == nil } + [factor].filter { Double($0) == nil }
    if let path = environment["CONFORMANCE_FILE"] {
      file = URL(fileURLWithPath: path)
    } else {
      let folder = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
      file = (folder ?? FileManager.default.temporaryDirectory).appendingPathComponent("core-motion-conformance.jsonl")
    }
  }
}
