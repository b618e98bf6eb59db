// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion

@MainActor
func archiveShapes(_ runner: Runner) {
  runner.begin("a live sample through a secure archive") { done in
    let manager = CMMotionManager()
    manager.startDeviceMotionUpdates(to: .main) { motion, _ in
      guard let motion = motion else { return }
      do {
        let data = try NSKeyedArchiver.archivedData(withRootObject: motion, requiringSecureCoding: true)
        let copy = try NSKeyedUnarchiver.unarchivedObject(ofClass: CMDeviceMotion.self, from: data)
        done(copy?.timestamp == motion.timestamp && copy?.attitude.quaternion.w == motion.attitude.quaternion.w)
      } catch {
        done(false)
      }
    }
    return manager
  }
  runner.begin("an array of samples in one archive") { done in
    let manager = CMMotionManager()
    var collected: [CMAccelerometerData] = []
    manager.startAccelerometerUpdates(to: .main) { data, _ in
      guard let data = data else { return }
      collected.append(data)
      guard collected.count == 5 else { return }
      do {
        let archive = try NSKeyedArchiver.archivedData(
          withRootObject: collected as NSArray, requiringSecureCoding: true)
        let objects = try NSKeyedUnarchiver.unarchivedObject(
          ofClasses: [NSArray.self, CMAccelerometerData.self], from: archive)
        let copies = objects as? [CMAccelerometerData]
        done(copies?.map(\.timestamp) == collected.map(\.timestamp))
      } catch {
        done(false)
      }
    }
    return manager
  }
}
