// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

extension Conformance {
  /// Statements that no device is asked about, and why. Together with ``statements`` these are all S, N and D of
  /// Documentation/Behaviour.md; a test holds that.
  public static let notAsked: [String: String] = [
    "S36": "settled by D4, which is asked",
    "S40": "settled by D2 and D3, which are asked",
    "S47": "on Apple's systems handlers may overlap, which no sample of calls disproves; D29 records how many did",
    "S48": "an app cannot take permissions from itself; S53 is asked where a person has denied motion",
    "N1": "an attitude cannot be made from given numbers; S12 and S13 hold the same mathematics to real samples",
    "N2": "as N1",
    "N4": "as N1; D7 holds the same product to real samples",
    "D19": "no person can unplug a phone's sensor, and a replay is no device",
    "D23": "the notice goes to the host of this project; Apple's systems show a panel of their own",
    "D24": "is about Bluetooth adapters of computers; S58 is asked",
    "D26": "a list of this project's host",
    "D31": "is about recordings as a source",
    "D36": "is about the log, which an app does not read",
    "D37": "Apple's systems hand odometer data out through SensorKit",
    "D38": "is about sleep and a clock that is set, during the run",
    "D40": "is about the files of this project's recorder",
    "D42": "is about recordings at full speed",
    "D44": "is about the dates of recordings and simulations",
    "D45": "asks for a magnetometer that is not calibrated, which no person can bring about at will",
    "D46": "asks for a view on a screen, which a test bundle has not",
    "D47": "is about spellings that compile; S49 is asked",
  ]
}
