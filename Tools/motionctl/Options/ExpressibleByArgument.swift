// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import LiveOutput
public import MotionMath
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

extension Placement: ExpressibleByArgument {
  public init?(argument: String) { self.init(words: argument) }
}
