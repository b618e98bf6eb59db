// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One numbered statement of Documentation/Behaviour.md, and how a device is asked whether it holds there.
public struct Statement: Sendable, CustomStringConvertible {
  /// What a statement is about. A run may be limited to some groups, because each needs another kind of motion.
  public enum Group: String, Sendable, CaseIterable {
    case values, attitude, frames, poses, managers, headphones, altitude, steps, recorder, batches, water, health
  }

  /// The number of the statement there, such as “S13”.
  public let code: String
  public let group: Group
  /// What is asked, in a short sentence of its own.
  public let sentence: String
  /// What the person has to do; nil when the device may be left alone.
  public let request: String?
  let ask: @Sendable () async throws -> [Finding]

  init(
    _ code: String, _ group: Group, _ sentence: String, request: String? = nil,
    ask: @escaping @Sendable () async throws -> [Finding]
  ) {
    (self.code, self.group, self.sentence, self.request, self.ask) = (code, group, sentence, request, ask)
  }

  public var description: String { "\(code) \(sentence)" }

  /// Asks the device. A statement without a single finding is not answered.
  public func answer() async -> Answer {
    if let request {
      guard Settings.current.hasHands else { return Answer(result: .notAsked, reason: request) }
      print("\n\(code): \(request)\n")
    }
    do {
      let findings = try await ask()
      guard !findings.isEmpty else { return Answer(result: .notAnswerable, reason: "Nothing was measured.") }
      return Answer(result: findings.allSatisfy(\.agrees) ? .agrees : .differs, findings: findings)
    } catch let obstacle as Obstacle {
      return Answer(result: .notAnswerable, reason: obstacle.reason)
    } catch {
      return Answer(result: .notAnswerable, reason: "\(error)")
    }
  }
}

/// What a device said about a statement.
public struct Answer: Sendable {
  public enum Result: String, Codable, Sendable {
    case agrees, differs
    /// The device lacks what the statement needs, or did not do it in time.
    case notAnswerable = "not answerable here"
    /// Nobody was there to do what the statement needs.
    case notAsked = "not asked"
  }

  public var result: Result
  public var findings: [Finding] = []
  /// Why there is no answer.
  public var reason: String?
}

/// Why a statement cannot be answered on this device.
struct Obstacle: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}

/// Throws unless `condition` holds.
func need(_ condition: Bool, _ reason: String) throws {
  guard condition else { throw Obstacle(reason) }
}
