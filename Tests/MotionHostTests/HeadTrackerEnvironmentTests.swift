// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import LinuxSources
import MotionSensing
import MotionServices
import MotionTools
import TestSupport
import Testing

@testable import MotionHost

/// Which headphones a program gets that names none.
@Suite struct HeadTrackerEnvironmentTests {
  private func environment(_ root: String, _ variables: [String: String] = [:]) -> HostEnvironment {
    var all = variables
    all["MOTION_MEMORY"] = "off"
    return HostEnvironment(all, root: SystemRoot(root))
  }

  private func emptyRoot() throws -> String {
    let path = NSTemporaryDirectory() + "opencoremotion-\(UUID().uuidString.prefix(12))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  @Test func withoutAnyHardwareThereAreNoHeadphones() throws {
    let root = try emptyRoot()
    defer { try? FileManager.default.removeItem(atPath: root) }
    let host = environment(root).makeHost()
    #expect(host.headphones == nil && host.headphonesProblem == nil)
    #expect(try !environment(root).catalog().listings().contains { $0.address.hasPrefix("headtracker") })
    #expect(!environment(root).checkup().findings.contains { $0.subject.contains("head") })
    let named = environment(root, ["MOTION_HEADPHONES": "headtracker:"]).makeHost()
    #expect(named.headphones == nil && named.headphonesProblem?.code == .notFound)
  }

  /// D24: an adapter makes headphones possible, connected or not.
  @Test func anAdapterMakesHeadphonesPossible() throws {
    let root = try emptyRoot()
    defer { try? FileManager.default.removeItem(atPath: root) }
    try FileManager.default.createDirectory(
      atPath: "\(root)/sys/class/bluetooth/hci0", withIntermediateDirectories: true)
    let host = environment(root).makeHost()
    #expect(host.headphones?.info.deviceClass == .headphones && host.headphones?.info.name.contains("AirPods") == true)
    #expect(host.run { CMHeadphoneMotionManager().isDeviceMotionAvailable })
    #expect(try environment(root).catalog().listings().contains { $0.address == "airpods:" })
    #expect(environment(root).checkup().findings.contains { $0.subject == "headphones" && $0.level == .ok })
  }

  @Test func aHeadTrackerThatIsConnectedIsTakenAndNamed() throws {
    let peer = try HeadTrackerPeer()
    let host = environment(peer.root).makeHost()
    #expect(host.headphones?.info.name == "Simulated WH-1000XM5 (head tracker)")
    let listing = try environment(peer.root).catalog().listings().first { $0.address.hasPrefix("headtracker:") }
    #expect(listing?.address == "headtracker:00:00:5E:00:53:02" && listing?.problem == nil)
    #expect(listing?.summary.contains("hidraw") == true)
    let finding = environment(peer.root).checkup().findings.first { $0.subject.hasPrefix("headtracker:") }
    #expect(finding?.level == .ok)
    // Named by what is listed.
    let entry = try environment(peer.root).catalog().open(try SourceURI(listing?.address ?? ""))
    #expect(entry.source.info.identity == "headtracker 00:00:5E:00:53:02")
    // Nothing has been told to send anything.
    #expect(!peer.isStreaming && peer.writes.isEmpty)
    #expect(
      environment(peer.root, ["MOTION_HEADPHONES": "simulate:headphones"]).makeHost().headphones?.info.origin
        == .simulation)
  }

  @Test func aTrackerThatTheKernelKeepsIsExplained() throws {
    let peer = try HeadTrackerPeer(isInHub: true) { _ in }
    let finding = environment(peer.root).checkup().findings.first { $0.subject.hasPrefix("headtracker:") }
    #expect(finding?.level == .warning && finding?.sentence.contains("blacklist hid_sensor_hub") == true)
    #expect(Checkup.rules.contains("hidraw"))
  }
}
