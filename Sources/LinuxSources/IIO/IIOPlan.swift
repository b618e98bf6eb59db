// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// What a run asks of every device, from the listeners' request and the user's options.
struct IIOPlan: Hashable, Sendable {
  /// The kinds that somebody listens to; an empty request asks for everything.
  var wanted: SensorKinds
  /// Hz; nil = as fast as the device can.
  var rate: Double?
  /// How long records may lie in the buffer.
  var latency: SensorDuration
  /// Records before the kernel wakes us; nil = by latency.
  var watermark: Int?
  /// What presses on a pressure sensor.
  var medium: PressureSample.Medium

  /// A pressure sensor is never read faster than this, Hz: altimeter and submersion filter down to 1 and 3 Hz (spec BAR-6).
  static let pressureRate = 25.0

  init(request: SensorRequest, options: IIOOptions, medium: PressureSample.Medium) {
    wanted = request.kinds.isEmpty ? SensorKinds(rawValue: .max) : request.kinds
    let interval = request.interval.seconds
    rate = options.rate ?? (interval > 0 ? 1 / interval : nil)
    latency = request.latency
    watermark = options.watermark
    self.medium = medium
  }

  /// What of a device is wanted.
  func quantities(of device: IIODevice) -> [IIOQuantity] {
    let isWater = medium == .water
    // The sensor's own temperature belongs into the samples of its pressure; that of an inertial chip is nobody's weather.
    let hasPressure = device.quantities.contains(.pressure)
    return device.quantities.filter { quantity in
      switch quantity {
      case .temperature: hasPressure && !wanted.isDisjoint(with: [.temperature, quantityKind(.pressure, isWater)])
      default: wanted.contains(quantity.kind(isInWater: isWater))
      }
    }
  }

  private func quantityKind(_ quantity: IIOQuantity, _ isWater: Bool) -> SensorKinds {
    quantity.kind(isInWater: isWater)
  }

  /// Hz to ask a device for.
  func wish(for quantities: [IIOQuantity]) -> Double? {
    let isPressureOnly = quantities.allSatisfy { $0 == .pressure || $0 == .temperature }
    return isPressureOnly ? min(rate ?? Self.pressureRate, Self.pressureRate) : rate
  }

  /// True when a device need not be set up anew for another plan: one more or one less listener then costs no sample.
  func asksTheSame(of device: IIODevice, as other: IIOPlan) -> Bool {
    let (mine, others) = (quantities(of: device), other.quantities(of: device))
    return latency == other.latency && watermark == other.watermark && wish(for: mine) == other.wish(for: others)
      && mine.isEmpty == others.isEmpty
  }
}
