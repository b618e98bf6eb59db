// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A device that the Bluetooth service knows: headphones, for example.
package struct BluetoothDevice: Hashable, Sendable {
  /// Its address, upper case with colons. Personal: leave it out of what others may read.
  package var address: String
  /// The name that its owner gave it, else its own, else empty.
  package var name = ""
  /// Who made it, as the Bluetooth SIG or the USB forum numbers makers; nil = not said.
  package var vendor: UInt16?
  /// What it is, by the maker's number; nil = not said.
  package var product: UInt16?
  /// Whether `vendor` is a number of the Bluetooth SIG; false = of the USB forum.
  package var isBluetoothVendor = false
  /// Whether it is paired.
  package var isPaired = false
  /// Whether the keys are kept; where the service is too old to say it (before 5.65), whether it is paired.
  package var isBonded = false
  /// Whether it is connected now.
  package var isConnected = false
  /// The services it offers, lower case UUIDs.
  package var services: [String] = []
  /// Per cent; nil = not known.
  package var batteryPercent: Int?
}

extension BluetoothDevice {
  /// From the properties of `org.bluez.Device1`; nil when it has no address.
  init?(properties: [String: BusValue], battery: Int?) {
    guard let address = properties["Address"]?.text, !address.isEmpty else { return nil }
    self.init(
      address: address.uppercased(), name: properties["Alias"]?.text ?? properties["Name"]?.text ?? "")
    isPaired = properties["Paired"]?.boolean ?? false
    isBonded = properties["Bonded"]?.boolean ?? isPaired
    isConnected = properties["Connected"]?.boolean ?? false
    services = (properties["UUIDs"]?.texts ?? []).map { $0.lowercased() }
    batteryPercent = battery.flatMap { (0...100).contains($0) ? $0 : nil }
    if let modalias = properties["Modalias"]?.text { read(modalias: modalias) }
  }

  /// "bluetooth:v004Cp2014dB052": who made it, what it is, which version.
  private mutating func read(modalias: String) {
    let parts = modalias.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, ["bluetooth", "usb"].contains(parts[0]) else { return }
    let text = Array(parts[1])
    guard text.count >= 10, text[0] == "v", text[5] == "p" else { return }
    vendor = UInt16(String(text[1...4]), radix: 16)
    product = UInt16(String(text[6...9]), radix: 16)
    isBluetoothVendor = parts[0] == "bluetooth"
  }

  /// The service by which Apple's and Beats' headphones communicate with a host.
  package static let accessoryProtocolService = "74ec2172-0bad-4d01-8f77-997b2be0722a"

  /// Whether it offers the accessory protocol of AirPods.
  package var offersAccessoryProtocol: Bool { services.contains(Self.accessoryProtocolService) }

  /// What model it is, if it is one that this version knows; by number, else by name.
  package var model: HeadphoneModel? {
    if isBluetoothVendor, let vendor, let product, let model = HeadphoneModel.model(vendor: vendor, product: product) {
      return model
    }
    return HeadphoneModel.model(name: name)
  }
}
