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

  init(_ environment: [String: String]) {
    func list(_ name: String) -> [String]? { environment[name]?.split(separator: ",").map(String.init) }
    hasHands = environment["CONFORMANCE_HANDS"] != "no"
    groups = Set(list("CONFORMANCE_GROUPS")?.compactMap(Statement.Group.init) ?? Statement.Group.allCases)
    codes = list("CONFORMANCE_STATEMENTS").map(Set.init)
    patience = environment["CONFORMANCE_PATIENCE"].flatMap(Double.init) ?? 1
    if let path = environment["CONFORMANCE_FILE"] {
      file = URL(fileURLWithPath: path)
    } else {
      let folder = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
      file = (folder ?? FileManager.default.temporaryDirectory).appendingPathComponent("core-motion-conformance.jsonl")
    }
  }
}
