// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Combine
import Foundation
import QuartzCore
import SwiftUI
import Testing
import UIKit
import WatchKit

@Suite struct DeviceTests {
  @MainActor @Test func `The device knows neither its orientation nor its battery`() {
    #expect(UIDevice.current.orientation == .unknown)
    #expect(!UIDevice.current.orientation.isValidInterfaceOrientation)
    UIDevice.current.isBatteryMonitoringEnabled = true
    #expect(!UIDevice.current.isBatteryMonitoringEnabled)
    #expect(UIDevice.current.batteryLevel == -1)
    #expect(WKInterfaceDevice.current().batteryLevel == -1)
  }

  @MainActor @Test func `No task goes on behind, and nothing is opened`() throws {
    #expect(UIApplication.shared.beginBackgroundTask(withName: "a") == .invalid)
    let url = try #require(URL(string: UIApplication.openSettingsURLString))
    var opened: Bool?
    UIApplication.shared.open(url) { opened = $0 }
    #expect(opened == false)
  }

  @Test func `An interface turns against its device`() {
    #expect(UIInterfaceOrientation.landscapeRight.rawValue == UIDeviceOrientation.landscapeLeft.rawValue)
    #expect(UIInterfaceOrientationMask.all.contains(.landscapeLeft))
    #expect(!UIInterfaceOrientationMask.allButUpsideDown.contains(.portraitUpsideDown))
  }

  @Test func `The media time is the time since the computer started`() {
    #expect(abs(CACurrentMediaTime() - ProcessInfo.processInfo.systemUptime) < 1)
  }

  final class Model: ObservableObject {
    @Published var steps = 0
  }

  @Test func `A published property tells of its changes`() {
    let model = Model()
    var seen: [Int] = []
    let subscription = model.$steps.sink { seen.append($0) }
    model.steps = 3
    #expect(seen == [0, 3])
    subscription.cancel()
  }

  @Test func `A list is edited by offsets`() {
    var list = ["a", "b", "c", "d"]
    list.remove(atOffsets: [1, 3])
    #expect(list == ["a", "c"])
    list = ["a", "b", "c", "d"]
    list.move(fromOffsets: [0, 2], toOffset: 4)
    #expect(list == ["b", "d", "a", "c"])
    list.move(fromOffsets: [3], toOffset: 0)
    #expect(list == ["c", "b", "d", "a"])
  }
}
