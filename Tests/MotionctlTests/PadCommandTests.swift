// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Testing

/// `motionctl pad`, as far as no controller appears: the rest is for the kernel guest (Guest/Tests).
@Suite struct PadCommandTests {
  @Test(arguments: [
    ("simulate:rest?gyroscope=no", "has no gyroscope, and a controller's motion needs both"),
    ("simulate:rest?speed=max", "leave speed=max out"),
  ])
  func aSourceThatMakesNoControllerIsRefusedInASentence(source: String, sentence: String) throws {
    let result = try MotionctlProcess(["pad", source]).finish()
    #expect(result.code == 1 && result.text.isEmpty)
    #expect(result.errors.contains(sentence))
  }
}
