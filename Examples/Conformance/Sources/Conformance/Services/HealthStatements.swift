// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// Falls and movement disorder, as far as nobody has to fall.
enum HealthStatements {
  #if os(Linux) || os(watchOS)
  static let all: [Statement] = [
    Statement("D15", .health, "Whether falls are detected is a class property.") {
      [.note("CMFallDetectionManager.isAvailable", "\(CMFallDetectionManager.isAvailable)")]
    },
    Statement("S87", .health, "Falls have one delegate, which is not retained.") {
      let manager = CMFallDetectionManager()
      var delegate: FallListener? = FallListener()
      manager.delegate = delegate
      let kept = manager.delegate === delegate && delegate != nil
      delegate = nil
      return [.holds("the delegate is set", kept), .holds("it is not retained", manager.delegate == nil)]
    },
    Statement("D30", .health, "Without a detector of falls the authorisation is restricted.") {
      try need(!CMFallDetectionManager.isAvailable, "This device detects falls.")
      return [.equal("authorizationStatus", CMFallDetectionManager().authorizationStatus.rawValue, 1)]
    },
    Statement("S88", .health, "The version is major.minor.fix or nil; nothing was processed at first.") {
      let version = CMMovementDisorderManager.version()
      return HealthChecks.version(version) + [
        .note("lastProcessedDate is nil", "\(CMMovementDisorderManager().lastProcessedDate() == nil)")
      ]
    },
  ]

  private final class FallListener: NSObject, CMFallDetectionDelegate {}
  #else
  static let all: [Statement] = []
  #endif
}

enum HealthChecks {
  static func version(_ version: String?) -> [Finding] {
    let parts = version?.split(separator: ".", omittingEmptySubsequences: false)
    return [
      .holds("version \(version ?? "nil")", parts.map { $0.count == 3 && $0.allSatisfy { Int($0) != nil } } ?? true)
    ]
  }
}
