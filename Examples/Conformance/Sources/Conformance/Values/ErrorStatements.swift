// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

enum ErrorStatements {
  static let all: [Statement] = [
    Statement("S50", .values, "The general errors have these numbers.") {
      ErrorChecks.numbers(
        [CMErrorNULL, CMErrorUnknown, CMErrorInvalidParameter, CMErrorInvalidAction, CMErrorNilData, CMErrorSize]
          .map(\.rawValue), [100, 103, 107, 108, 112, 113])
        + [.equal("domain", CMErrorDomain, "CMErrorDomain")]
    },
    Statement("S51", .values, "Activity and steps have errors of their own, and so have the newer services.") {
      ErrorChecks.numbers(
        [
          CMErrorMotionActivityNotAvailable, CMErrorMotionActivityNotAuthorized, CMErrorMotionActivityNotEntitled,
          CMErrorNotAvailable, CMErrorNotEntitled, CMErrorNotAuthorized,
        ].map(\.rawValue), [104, 105, 106, 109, 110, 111])
    },
    Statement("D22", .steps, "The description of an error is a sentence.") {
      #if os(macOS)
      throw Obstacle("A Mac counts no steps.")
      #else
      try need(CMPedometer.isStepCountingAvailable(), "This device counts no steps.")
      let heard = Collector<Delivery<Int>>()
      let pedometer = CMPedometer()
      let now = Date()
      pedometer.queryPedometerData(from: now, to: now.addingTimeInterval(-3600)) {
        heard.add($0?.numberOfSteps.intValue, $1)
      }
      _ = await heard.wait(for: 1, seconds: 5)
      withExtendedLifetime(pedometer) {}
      guard let error = heard.errors().first else { throw Obstacle("There was no error to read.") }
      return ErrorChecks.sentence(error)
      #endif
    },
  ]
}

enum ErrorChecks {
  static func numbers(_ measured: [UInt32], _ expected: [UInt32]) -> [Finding] {
    [.equal("numbers", measured, expected)]
  }

  static func sentence(_ error: Failure) -> [Finding] {
    [
      .equal("domain", error.domain, "CMErrorDomain"), .note("description", error.sentence),
      .holds("it ends as a sentence", error.sentence.hasSuffix(".") && error.sentence.contains(" ")),
    ]
  }
}
