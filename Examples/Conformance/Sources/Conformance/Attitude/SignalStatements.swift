// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

enum SignalStatements {
  #if os(macOS)
  static let all: [Statement] = []
  #else
  static let all: [Statement] = [
    .observation("S2", "Accelerometer values are in g and contain gravity.", SignalChecks.readingsAreInG),
    .observation("S4", "Gravity and user acceleration make the reading.", SignalChecks.partsMakeTheReading),
    .observation("S7", "Raw rates contain the bias, device motion's do not.", SignalChecks.rawRateHasTheBias),
    .observation("S8", "The raw field is in microtesla, and the ambient field lacks the device's own.", in: 4) {
      try SignalChecks.rawFieldHasTheDevicesOwn($0)
    },
    .samples("S9", "A frame without magnetometer has the field 0 and the accuracy −1.") {
      SignalChecks.frameWithoutMagnetometerHasNoField($0)
    },
    .samples("G23", "The field of a north frame is ambient.", in: 4) { try SignalChecks.fieldIsAmbient($0) },
    .samples("S10", "Time stamps increase and are finer than a millisecond.", AttitudeChecks.timesIncrease),
    .observation("D8", "Time stamps are on the clock of systemUptime.", SignalChecks.clockIsUptime),
  ]
  #endif
}
