// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import Testing

@testable import MotionTools

/// `motionctl plot`.
@Suite struct PlotTests {
  @Test func aPictureIsSVGAndAPNGIsMadeByAnother() throws {
    let folder = try TemporaryFolder()
    let result = try MotionctlProcess.run(
      "plot", "simulate:handheld", "--for", "4", "-o", folder.path("x.svg"))
    #expect(result.code == 0)
    #expect(result.errors.contains("400 rows"))
    #expect(String(decoding: try folder.read("x.svg"), as: UTF8.self).contains("viewBox=\"0 0 1200 "))
    let png = try MotionctlProcess.run("plot", "simulate:handheld", "--for", "4", "-o", folder.path("x.png"))
    #expect(png.code == 64 && png.errors.contains("rsvg-convert"))
    #expect(try folder.names == ["x.svg"])
  }

  private func table(_ header: String, in folder: TemporaryFolder, rows: [String]) throws -> String {
    try folder.write(([header] + rows).joined(separator: "\n") + "\n", to: "log.csv")
    return folder.path("log.csv")
  }

  /// A watch that logs its accelerometer only: still for three seconds, then moved, with a pause.
  @Test func aLogOfTheAccelerometerAloneIsDrawnWithRestAndPauses() throws {
    let folder = try TemporaryFolder()
    let path = try table(
      "t,ax,ay,az", in: folder,
      rows: (0..<600).filter { !(450..<480).contains($0) }.map { index in
        "\(Double(index) / 100),\(index < 300 ? 0 : Double(index % 7) / 10),0,-1"
      })
    let map = ["--map", "t=t[s] ax=ax[g] ay=ay az=az", "--sign", "apple"]
    let result = try MotionctlProcess(["plot", path, "-o", folder.path("x.svg")] + map).finish()
    #expect(result.code == 0 && result.errors.contains("570 rows"), "\(result.errors)")
    let svg = String(decoding: try folder.read("x.svg"), as: UTF8.self)
    #expect(svg.contains("Accelerometer (g)") && !svg.contains("Attitude"))
    #expect(svg.contains(">at rest<") && svg.contains(">no samples<"))
    // One stretch of rest and one pause, behind one panel; and the legend.
    #expect(svg.components(separatedBy: Color.rest.hex).count - 1 == 2)
    #expect(svg.components(separatedBy: Color.gap.hex).count - 1 == 2)
    // A part without the pause.
    let part = try MotionctlProcess(
      ["plot", path, "-o", folder.path("y.svg"), "--from", "1s", "--to", "2s"] + map
    ).finish()
    #expect(part.errors.contains("100 rows over 0.99 s"), "\(part.errors)")
    let other = String(decoding: try folder.read("y.svg"), as: UTF8.self)
    #expect(!other.contains(">no samples<") && other.contains(">1.2<") && !other.contains(">3<"))
    let missing = try MotionctlProcess(["plot", path, "-o", folder.path("z.svg"), "--channels", "heading"] + map)
      .finish()
    #expect(missing.code == 1 && missing.errors.contains("gyroscope"), "\(missing.errors)")
    #expect(try folder.names == ["log.csv", "x.svg", "y.svg"])
  }

  @Test func everyChannelHasItsPanelInTheOrderThatWasAskedFor() throws {
    let folder = try TemporaryFolder()
    let names = "temperature,pressure,heading,rotation-rate,accelerometer,gyroscope,magnetometer,gravity"
    let result = try MotionctlProcess.run(
      "plot", "simulate:handheld", "--for", "4", "--frame", "magnetic", "--channels", names, "-o", folder.path("x.svg"))
    #expect(result.code == 0, "\(result.errors)")
    let svg = String(decoding: try folder.read("x.svg"), as: UTF8.self)
    let titles = [
      "Temperature (°C)", "Air pressure (kPa)", "Heading (°)", "Rotation rate (°/s)", "Accelerometer (g)",
      "Gyroscope (°/s)", "Magnetometer (µT)", "Gravity (g)",
    ]
    let places = titles.compactMap { svg.firstRange(of: $0)?.lowerBound }
    #expect(places.count == titles.count && places == places.sorted())
    #expect(svg.contains("height=\"2400\""))
    #expect(
      try MotionctlProcess.run("plot", "simulate:rest", "--channels", "depth", "-o", folder.path("y.svg")).code == 64)
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
