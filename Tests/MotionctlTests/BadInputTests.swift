// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Mistakes: one clear sentence on standard error, nothing on standard output, an exit code that is not 0.
@Suite struct BadInputTests {
  /// What is typed, the exit code, and a part of the sentence.
  static let mistakes: [(arguments: [String], code: Int32, sentence: String)] = [
    (["fuse", "/nowhere/walk.csv"], 1, "There is no file or folder “/nowhere/walk.csv”."),
    (["fuse", "walk.csv?errors=skip"], 1, "There is no file or folder “walk.csv”."),
    (["fuse", "simulate:rest"], 1, "simulate:rest never ends: say how much of it you want, such as --for 10."),
    (["plot", "simulate:rest", "-o", "x.svg"], 1, "never ends"),
    (
      ["fuse", "simulate:rest", "--for", "1", "-o", "/nowhere/x.csv"], 1,
      "cannot be written: no such file or directory."
    ),
    (["fuse", "simulate:rest", "--for", "1", "-o", "/"], 1, "cannot be written: is a directory."),
    (["fuse", "simulate:rest", "--for", "1", "--frame", "true"], 1, "needs to know where the device is"),
    (["fuse", "simulate:rest", "--for", "1", "--skip-errors"], 1, "is for recordings only"),
    (["stream"], 1, "No source: name one"),
    (["stream", "radar:north"], 1, "There is no kind of motion source called “radar”"),
    (["stream", "simulate:nothing"], 1, "nothing"),
    (["stream", "simulate:rest?speed=0"], 1, "The option “speed” takes max, or a number above 0"),
    (["stream", "simulate:rest", "--rate", "0"], 64, "--rate"),
    (["stream", "simulate:rest", "--rate", "nan"], 64, "--rate"),
    (["stream", "simulate:rest", "--frame", "upside-down"], 64, "xMagneticNorthZVertical"),
    (["stream", "simulate:rest", "--location", "91,0"], 64, "--location"),
    (["stream", "simulate:rest", "--for", "0"], 64, "--for"),
    (["stream", "simulate:rest", "--service", "sonar"], 64, "device-motion"),
    (["plot", "simulate:rest", "--for", "1", "-o", "x.jpg"], 64, "end it with .svg"),
    (["dance"], 64, "dance"),
  ]

  @Test(arguments: mistakes.indices)
  func aMistakeIsAnsweredInASentence(index: Int) throws {
    let mistake = Self.mistakes[index]
    let result = try MotionctlProcess(mistake.arguments).finish()
    #expect(result.code == mistake.code)
    #expect(result.errorLines.first?.hasPrefix("Error: ") == true)
    #expect(result.errors.contains(mistake.sentence), "\(mistake.arguments): \(result.errors)")
    #expect(result.output.isEmpty)
    // A failure is one line; wrong usage is followed by the usage.
    if mistake.code == 1 { #expect(result.errorLines.count == 1) }
  }
}
