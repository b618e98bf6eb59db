// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionHost
import MotionSensing

/// What happens to the device besides being moved. Each takes effect at once and returns when the handlers have heard of it.
extension TestDevice {
  /// Permission, entitlements, workout; a change applies to services that run already. See also ``deny()``.
  public var policy: HostPolicy {
    get { host.policy }
    set { host.policy = newValue }
  }

  /// Where the device is, for true north; nil = unknown.
  public var location: GeographicLocation? {
    get { host.location }
    set { host.location = newValue }
  }

  /// The person takes the permission away: nothing arrives any more.
  public func deny() async {
    host.policy.authorization = .denied
    await clock.settle()
  }

  /// The person gives the permission back.
  public func allow() async {
    host.policy.authorization = .authorized
    await clock.settle()
  }

  /// The app goes to the background: services stay active and hear nothing.
  public func suspend() async {
    host.suspend()
    await clock.settle()
  }

  /// The app comes back.
  public func resume() async {
    host.resume()
    await clock.settle()
  }

  /// The sensor is gone: handlers are told one error, and latest-sample properties are nil.
  public func unplug() async {
    source?.setPlugged(false)
    await clock.settle()
  }

  /// The sensor is back; samples come again within half a second of the device's time.
  public func replug() async {
    source?.setPlugged(true)
    await clock.settle()
  }

  /// The link to the headphones is lost.
  public func disconnectHeadphones() async {
    headphones?.setPlugged(false)
    await clock.settle()
  }

  /// The link is back; the connection is told within half a second of the device's time.
  public func connectHeadphones() async {
    headphones?.setPlugged(true)
    await clock.settle()
  }
}
