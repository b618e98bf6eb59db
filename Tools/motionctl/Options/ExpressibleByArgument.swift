// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import LiveOutput
public import MotionRecording
import MotionServices
import MotionTools

// The values of the libraries that are read from an argument by their own `init?(argument:)`, or by their raw value.

extension Seconds: ExpressibleByArgument {}
extension SampleRate: ExpressibleByArgument {}
extension TimePlace: ExpressibleByArgument {}
extension NameList: ExpressibleByArgument {}
extension LocationArgument: ExpressibleByArgument {}
extension ReferenceFrame: ExpressibleByArgument {}
extension MotionService: ExpressibleByArgument {}
extension SampleFormat: ExpressibleByArgument {}
extension ConvertFormat: ExpressibleByArgument {}
extension RecordingCompanion: ExpressibleByArgument {}
extension RecordingProfile: ExpressibleByArgument {}
extension HistoryReport.Unit: ExpressibleByArgument {}
extension LiveTarget: ExpressibleByArgument {}
extension RecordingOptions.Motion: ExpressibleByArgument {}
extension RecordingOptions.Sign: ExpressibleByArgument {}

extension MCAPCompression: ExpressibleByArgument {
  public init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    self.init(rawValue: argument == "none" ? "" : argument)
  }

  public static var allValueStrings: [String] { ["none", "zstd", "lz4"] }
}

extension ActivityEstimator.Placement: ExpressibleByArgument {
  private static let names: [(String, Self)] = [("body", .body), ("wrist", .wrist), ("head", .head)]

  package init?(argument: String) {
    guard let found = Self.names.first(where: { $0.0 == argument }) else { return nil }
    self = found.1
  }

  package static var allValueStrings: [String] { names.map(\.0) }
}
