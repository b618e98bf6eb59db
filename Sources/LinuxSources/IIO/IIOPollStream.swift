// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// The attributes of one device, read one after the other at a steady pace: for devices without a buffer that this
/// program may use.
///
/// It works without any permission, and while another program uses the buffer. It costs three system calls per axis and
/// pass, samples carry the time of reading instead of that of measuring, and the axes of one sample are a moment apart.
struct IIOPollStream {
  let device: IIODevice
  /// When the next pass is due.
  private(set) var due: SensorInstant
  private let readings: [IIOReading<String>]
  private var plan: IIOPlan
  private var settings: TemporarySettings
  private var period: SensorDuration
  /// The measured cost of a pass.
  private var cost = SensorDuration.zero
  private var failures = 0

  /// Rates beyond this are no use with time stamps of reading, Hz.
  static let fastest = 100.0
  /// Passes in a row that may fail before the device counts as broken.
  static let patience = 10

  /// Looks the attributes up, and reads each once: a device that refuses is refused here.
  init(_ device: IIODevice, plan: IIOPlan, now: SensorInstant) throws(SensorError) {
    self.device = device
    self.plan = plan
    due = now
    settings = TemporarySettings(files: device.files)
    let quantities = plan.quantities(of: device)
    let wish = plan.wish(for: quantities) ?? Self.fastest
    period = SensorDuration(rate: min(wish, Self.fastest)) ?? .milliseconds(10)
    // Some chips measure at their own rate for each read, 1 Hz by default. A buffer that another program
    // uses is not disturbed.
    if (try? device.files.read("\(device.folder)/buffer/enable")) != "1" {
      for quantity in quantities {
        let rates = SamplingRates(of: quantity, device: device)
        if let path = rates.path { settings.trySetting(path, to: SamplingRates.text(rates.choice(for: wish))) }
      }
    }
    var readings: [IIOReading<String>] = []
    do throws(SensorError) {
      for quantity in quantities { readings.append(try Self.reading(of: quantity, device: device)) }
    } catch {
      settings.restore()
      throw error
    }
    self.readings = readings
  }

  private static func reading(of quantity: IIOQuantity, device: IIODevice) throws(SensorError) -> IIOReading<String> {
    var reading = IIOReading<String>(quantity: quantity, channels: [], map: device.axisMap(of: quantity))
    for channel in quantity.channels {
      // Where there is both, the processed value is exact and the printed scale is not (IIO-2).
      let processed = "\(device.folder)/\(channel)_input"
      if (try? device.files.read(processed)) != nil {
        reading.channels.append((processed, 0, device.unit(of: quantity)))
        continue
      }
      let raw = "\(device.folder)/\(channel)_raw"
      do { _ = try device.files.read(raw) } catch {
        throw IIOProblem.failure(error, path: raw, device: device)
      }
      reading.channels.append(try device.channel(channel, of: quantity, at: raw))
    }
    return reading
  }

  /// Continues for other subscribers who want the same of this device.
  mutating func adopt(_ new: IIOPlan) -> Bool {
    guard plan.medium == new.medium else { return false }
    plan = new
    return true
  }

  /// One pass, if it is due.
  mutating func read(
    into samples: inout [SensorSample], now: () -> SensorInstant, statistics: inout SourceStatistics
  ) throws(SensorError) {
    let start = now()
    guard start >= due else { return }
    var values = IIOQuantity.Values(repeating: nil)
    do throws(SystemFailure) {
      for reading in readings {
        let vector = try reading.vector { (path) throws(SystemFailure) in Double(try device.files.read(path)) ?? .nan }
        if vector.isFinite { values[reading.quantity.place] = vector } else { statistics.notFinite += 1 }
      }
      failures = 0
    } catch {
      try passFailed(error, statistics: &statistics)
    }
    let end = now()
    statistics.passes += 1
    cost = end - start
    // Never more than half of the time: a slow bus shows as a low rate.
    due = max(due + period, start + cost + cost)
    if due < end { due = end + SensorDuration(nanoseconds: 1) }
    guard failures == 0 else { return }
    let middle = start + SensorDuration(nanoseconds: cost.nanoseconds / 2)
    plan.append(values, at: middle, to: &samples)
  }

  /// A chip may be busy for a moment; one that disappears, or stays busy, is a failure.
  private mutating func passFailed(_ failure: SystemFailure, statistics: inout SourceStatistics) throws(SensorError) {
    statistics.failedPasses += 1
    failures += 1
    let isForAMoment = [EBUSY, EAGAIN, EIO, ETIMEDOUT, EINTR].contains(failure.errno)
    guard isForAMoment, failures < Self.patience else {
      throw IIOProblem.failure(failure, path: device.folder, device: device)
    }
  }

  /// Puts the settings back.
  mutating func close() { settings.restore() }
}
