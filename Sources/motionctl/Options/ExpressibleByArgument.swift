// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LiveOutput
import MotionTools

// The values of the libraries that are read from an argument by their own `init?(argument:)`, or by their raw value.

extension Seconds: ExpressibleByArgument {}
extension SampleRate: ExpressibleByArgument {}
extension TimeSpan: ExpressibleByArgument {}
extension TimePlace: ExpressibleByArgument {}
extension NameList: ExpressibleByArgument {}
extension LocationArgument: ExpressibleByArgument {}
extension ReferenceFrame: ExpressibleByArgument {}
extension MotionOrigin: ExpressibleByArgument {}
extension MotionService: ExpressibleByArgument {}
extension SampleFormat: ExpressibleByArgument {}
extension ConvertFormat: ExpressibleByArgument {}
extension RecordingCompanion: ExpressibleByArgument {}
extension RecordingProfile: ExpressibleByArgument {}
extension RecordingCompression: ExpressibleByArgument {}
extension HistoryReport.Unit: ExpressibleByArgument {}
extension LiveTarget: ExpressibleByArgument {}
