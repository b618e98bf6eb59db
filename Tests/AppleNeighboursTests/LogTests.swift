// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Testing
import os.log

@testable import os

@Suite struct LogTests {
  @Test func `A format takes privacy in braces, and values of any type`() {
    #expect(formatted("%{public}@ took %d steps", ["Ann", 12]) == "Ann took 12 steps")
    #expect(formatted("%.1f %@", [2.25, [1, 2]]) == "2.2 [1, 2]")
  }

  @Test func `What is private is not written`() {
    let name = "Ann"
    let message: OSLogMessage = "\(name, privacy: .private) and \(name, privacy: .public) and \(3)"
    #expect(message.text == "<private> and Ann and 3")
    #expect(!formatted("%{private}@", ["Ann"]).contains("Ann"))
  }

  @Test func `A number has the digits that it is told`() {
    let message: OSLogMessage = "\(3.14159, format: .fixed(precision: 2))"
    #expect(message.text == "3.14")
  }

  @Test func `A whole number has the base, the digits and the columns that it is told`() {
    let message: OSLogMessage =
      "\(-255, format: .hex)|\(7, format: .decimal(minDigits: 3))|\(42, align: .right(columns: 4))"
    #expect(message.text == "-ff|007|  42")
    let text: OSLogMessage = "\("a", align: .left(columns: 3))|\("a", privacy: .private(mask: .hash))"
    #expect(text.text == "a  |<private>")
  }

  @Test func `The disabled log writes nothing`() {
    #expect(!OSLog.disabled.isEnabled(type: .fault))
    #expect(OSLog(subsystem: "a", category: "b").isEnabled(type: .error))
  }

  @Test func `A lock guards its state across tasks`() async {
    let lock = OSAllocatedUnfairLock(initialState: 0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask { lock.withLock { $0 += 1 } }
      }
    }
    #expect(lock.withLock { $0 } == 100)
  }
}
