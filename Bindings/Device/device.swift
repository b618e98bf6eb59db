// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// What ocm_device.h declares. Scripts/build-device.sh compiles it with the filter as one module: with SixAxes defined,
// and once more with `nine` in the place of `six`.

/// In the caller's memory.
struct DeviceFilter {
  #if SixAxes
  private var filter = OrientationFilter(usesMagnetometer: false)
  #else
  private var filter = OrientationFilter(usesMagnetometer: true)
  #endif
  private var latest = InlineArray<3, Int64>(repeating: .min)

  /// Sensors in the order of their errors in ocm.h: gyroscope, accelerometer, magnetometer.
  mutating func update(_ sensor: Int, _ reading: Vector3<Device>, _ time: Int64) -> Int32 {
    let limit =
      sensor == 0 ? Plausible.angularVelocity : sensor == 1 ? Plausible.specificForce : Plausible.magneticField
    guard Plausible.accepts(reading, limit: limit) else { return Int32(OCM_ERROR_GYROSCOPE + sensor) }
    if sensor == 0 { filter.update(angularVelocity: reading, atNanoseconds: time) }
    if sensor == 1 { filter.update(specificForce: reading, atNanoseconds: time) }
    #if !SixAxes
    if sensor == 2 { filter.update(magneticField: reading, atNanoseconds: time) }
    #endif
    defer { latest[sensor] = time }
    return Int32(time < latest[sensor] ? OCM_ERROR_TIME : OCM_OK)
  }

  /// Mutating, though nothing changes: a read copies the whole filter first.
  var motion: ocm_motion {
    mutating get {
      let (q, rate, bias) = (filter.attitude, filter.angularVelocity, filter.gyroscopeBias)
      let heading = filter.usesMagnetometer ? filter.headingStandardDeviation : filter.azimuthStandardDeviation
      return ocm_motion(
        quaternion: q.map { ($0.w, $0.x, $0.y, $0.z) } ?? (.nan, .nan, .nan, .nan), rate: (rate.x, rate.y, rate.z),
        bias: (bias.x, bias.y, bias.z), inclination_sd: min(.pi, filter.inclinationStandardDeviation),
        heading_sd: min(.pi, heading), rest: filter.isAtRest ? 1 : 0, heading_known: filter.hasHeading ? 1 : 0)
    }
  }
}

// unsafe: how Swift writes pointers of C; the caller says that a filter that was begun is there, and three numbers
typealias Six = UnsafeMutableRawPointer?
typealias Three = UnsafePointer<Float>?  // unsafe: as above

private func update(_ six: Six, _ sensor: Int, _ reading: Three, _ time: Int64) -> Int32 {
  guard let six, let reading else { return Int32(OCM_ERROR_NULL) }
  let vector = Vector3<Device>(x: reading[0], y: reading[1], z: reading[2])
  return six.assumingMemoryBound(to: DeviceFilter.self).pointee.update(sensor, vector, time)  // unsafe: as above
}

@c(ocm_six_init)
func begin(_ memory: Six, _ size: Int32) -> Int32 {
  guard let memory else { return Int32(OCM_ERROR_NULL) }
  guard size >= MemoryLayout<DeviceFilter>.size else { return Int32(OCM_ERROR_SIZE) }
  memory.initializeMemory(as: DeviceFilter.self, to: DeviceFilter())
  return Int32(OCM_OK)
}

@c(ocm_six_gyroscope)
func gyroscope(_ six: Six, _ rate: Three, _ time: Int64) -> Int32 { update(six, 0, rate, time) }

@c(ocm_six_accelerometer)
func accelerometer(_ six: Six, _ force: Three, _ time: Int64) -> Int32 { update(six, 1, force, time) }

#if !SixAxes
@c(ocm_six_magnetometer)
func magnetometer(_ six: Six, _ field: Three, _ time: Int64) -> Int32 { update(six, 2, field, time) }
#endif

@c(ocm_six_get)
func get(_ six: Six, _ motion: UnsafeMutablePointer<ocm_motion>?) -> Int32 {  // unsafe: as above
  guard let six, let motion else { return Int32(OCM_ERROR_NULL) }
  motion.pointee = six.assumingMemoryBound(to: DeviceFilter.self).pointee.motion
  return Int32(OCM_OK)
}
