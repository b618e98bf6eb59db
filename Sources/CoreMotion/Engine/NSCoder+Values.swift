// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The value types of the module in a keyed archive: one number per component, `key.x` and so on. An absent number reads as
/// zero; one that is not finite reads as zero too, so that an archive cannot bring NaN in.
extension NSCoder {
  /// One number of an archive; 0 when it is absent or not finite.
  func number(_ key: String) -> Double {
    let value = decodeDouble(forKey: key)
    return value.isFinite ? value : 0
  }

  func encode(_ value: CMAcceleration, forKey key: String) { encode(value.x, value.y, value.z, forKey: key) }
  func encode(_ value: CMRotationRate, forKey key: String) { encode(value.x, value.y, value.z, forKey: key) }
  func encode(_ value: CMMagneticField, forKey key: String) { encode(value.x, value.y, value.z, forKey: key) }

  func encode(_ value: CMQuaternion, forKey key: String) {
    encode(value.x, value.y, value.z, forKey: key)
    encode(value.w, forKey: key + ".w")
  }

  func decodeAcceleration(forKey key: String) -> CMAcceleration {
    CMAcceleration(x: number(key + ".x"), y: number(key + ".y"), z: number(key + ".z"))
  }

  func decodeRotationRate(forKey key: String) -> CMRotationRate {
    CMRotationRate(x: number(key + ".x"), y: number(key + ".y"), z: number(key + ".z"))
  }

  func decodeMagneticField(forKey key: String) -> CMMagneticField {
    CMMagneticField(x: number(key + ".x"), y: number(key + ".y"), z: number(key + ".z"))
  }

  func decodeQuaternion(forKey key: String) -> CMQuaternion {
    CMQuaternion(x: number(key + ".x"), y: number(key + ".y"), z: number(key + ".z"), w: number(key + ".w"))
  }

  private func encode(_ x: Double, _ y: Double, _ z: Double, forKey key: String) {
    encode(x, forKey: key + ".x")
    encode(y, forKey: key + ".y")
    encode(z, forKey: key + ".z")
  }
}
