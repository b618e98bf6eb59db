// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// How many times the converter measures for one number: more is less noise and takes longer.
public enum MS5837Oversampling: Int, Sendable, Hashable, CaseIterable {
  case x256 = 256
  case x512 = 512
  case x1024 = 1024
  case x2048 = 2048
  case x4096 = 4096
  case x8192 = 8192

  /// What is added to the command of a conversion: 0, 2, … 10.
  var commandBits: UInt8 { UInt8(Self.allCases.firstIndex(of: self) ?? 0) * 2 }

  /// How long a conversion takes at most: 2.5 µs for each time (`spec/water.md` 5), 0.64…20.5 ms.
  var conversionTime: SensorDuration { SensorDuration(nanoseconds: Int64(rawValue) * 2500) }

  /// The most that leaves a fifth of the period free: each sample takes a conversion of the pressure and one of the temperature.
  init(fitting period: SensorDuration) {
    let room = period.nanoseconds / 10 * 8
    self = Self.allCases.last { 2 * $0.conversionTime.nanoseconds <= room } ?? .x256
  }
}
