// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// Runs before `main` (``SourceRegistry``).
@section(".init_array") @used
private let registerLinuxSchemes: @convention(c) () -> Void = {
  SourceRegistry.atStart {
    SourceRegistry.add(.iio)
    SourceRegistry.add(.evdev)
  }
}

extension SourceScheme {
  /// Sensors that the kernel has as IIO devices.
  package static let iio = SourceScheme(
    "iio", form: "iio:", rank: 10,
    discover: { context in IIOSource.each(root: context.root).map { found($0.address, $0.source) } },
    automatic: Automatic(.device, subject: "an IIO device with accelerometer and gyroscope") { context in
      (try? IIOSource(path: "", options: [:], standardRoot: context.root)).map { found("iio:", $0) }
    }
  ) { address, context throws(SensorError) in
    try IIOSource(path: address.path, options: address.options, standardRoot: context.root)
  }

  /// The motion sensors of a game controller.
  package static let evdev = SourceScheme(
    "evdev", form: "evdev:", rank: 20,
    discover: { context in EvdevSource.each(root: context.root).map { found($0.address, $0.source) } },
    automatic: Automatic(.device, subject: "a game controller with motion sensors") { context in
      (try? EvdevSource(path: "", options: [:], standardRoot: context.root)).map { found("evdev:", $0) }
    }
  ) { address, context throws(SensorError) in
    try EvdevSource(path: address.path, options: address.options, standardRoot: context.root)
  }

  private static func found(_ address: String, _ source: IIOSource) -> DiscoveredSource {
    let remarks = source.limitations.map(\.description) + source.remarks
    return DiscoveredSource(address: address, summary: summary(source, remarks), source: source)
  }

  private static func found(_ address: String, _ source: EvdevSource) -> DiscoveredSource {
    let remarks = (source.limitation.map { [$0.description] } ?? []) + ["Axes: \(source.axes)."]
    return DiscoveredSource(
      address: address, summary: summary(source, remarks), source: source, isReadable: source.limitation == nil)
  }

  private static func summary(_ source: any SensorSource, _ remarks: [String]) -> String {
    source.info.name + (remarks.isEmpty ? "" : ". " + remarks.joined(separator: " "))
  }
}
