// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionHost
import MotionSensing
public import MotionServices

/// A row of device motion of a tool.
@_spi(MotionTools)
public typealias DeviceMotionRow = DeviceMotionValue

/// Turns a hub's events into the numbers that a `CMMotionManager` would give, bit for bit, without operation queue or objects.
///
/// ```swift
/// let rows = DeviceMotionRows(frame: .xArbitraryZVertical, host: host)
/// hub.subscribe(rows.stream, interval: .zero) { event, _ in
///   if let row = rows.row(for: event) { … }
/// }
/// ```
@_spi(MotionTools)
public final class DeviceMotionRows: Sendable {
  /// What to subscribe to.
  public let stream: HubStream
  private let translator: DeviceMotionTranslator

  /// `frame` must be exactly one frame; `host` knows the declination.
  public init(frame: CMAttitudeReferenceFrame, host: MotionHost) {
    stream = .deviceMotion(usesMagnetometer: frame.usesMagnetometer)
    translator = DeviceMotionTranslator(frame: frame, host: host, showsDisplay: false)
  }

  /// The row of an event; nil when it makes none. `report` receives the errors that a handler would receive before the sample
  /// (S44: once per episode).
  public func row(for event: HubEvent, report: (NSError) -> Void = { _ in }) -> DeviceMotionRow? {
    switch translator.translate(event) {
    // A motion translator never returns the other two.
    case .nothing, .gone, .samples: return nil
    case .sample(let value): return value
    case .error(let error, let value):
      report(error)
      return value
    }
  }
}
