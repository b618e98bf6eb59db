// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import Testing

/// `motionctl plot`.
@Suite(.timeLimit(.minutes(15))) struct PlotTests {
  @Test func aPNGHasItsSignatureAndTheWantedSize() throws {
    let folder = try TemporaryFolder()
    let result = try MotionctlProcess.run(
      "plot", "simulate:handheld", "--for", "4", "-o", folder.path("x.png"), "--width", "640", "--height", "480")
    #expect(result.code == 0)
    #expect(result.errors.contains("400 rows"))
    let bytes = [UInt8](try folder.read("x.png"))
    #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    #expect(bytes[16..<24] == [0, 0, 2, 128, 0, 0, 1, 224])
    #expect(try folder.names == ["x.png"])
  }

  @Test func anSVGIsWellFormedAndNamesTheSimulation() throws {
    let folder = try TemporaryFolder()
    _ = try MotionctlProcess.run("plot", "simulate:spin", "--for", "4", "-o", folder.path("x.svg"))
    let data = try folder.read("x.svg")
    let parser = XMLParser(data: data)
    #expect(parser.parse())
    let text = String(decoding: data, as: UTF8.self)
    for part in [
      "simulated device", "simulation: no sensor was read", "Attitude (°)", "Gravity (g)", "User acceleration (g)",
      ">roll<", ">pitch<", ">yaw<", "time since the first sample (s)",
    ] { #expect(text.contains(part)) }
  }
}
