// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// All statements, and a run of them for an app that hosts them without a test target.
public enum Conformance {
  /// In the order in which they are asked: what needs nobody first.
  public static let statements: [Statement] =
    ValueStatements.all + ErrorStatements.all + ArchiveStatements.all + AttitudeStatements.all + SignalStatements.all
    + FrameStatements.all + NorthStatements.all + ManagerStatements.all + RestartStatements.all + IntervalStatements.all
    + QueueStatements.all + HeadphoneStatements.all + HeadphoneStatusStatements.all + AltitudeStatements.all
    + StepStatements.all + StepQueryStatements.all + ActivityStatements.all + RecorderStatements.all
    + BatchStatements.all + WaterStatements.all + WaterDepthStatements.all + HealthStatements.all + PoseStatements.all

  /// Those of this run.
  public static var asked: [Statement] {
    let settings = Settings.current
    return statements.filter { settings.groups.contains($0.group) && settings.codes?.contains($0.code) ?? true }
  }

  /// Asks all of them, one after the other, and writes the difference file.
  public static func run(_ tell: @Sendable (Statement, Answer) -> Void = { _, _ in }) async throws {
    for statement in asked {
      let answer = await statement.answer()
      try await Report.shared.add(answer, to: statement)
      tell(statement, answer)
    }
  }
}
