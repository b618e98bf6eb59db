// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// A program whose declarations belong to the main actor, as Xcode makes new apps (Swift 6, default isolation
// MainActor). It must compile without a single diagnostic. Its sensors come from the environment.
//
// Prints one line per part, "ok NAME", and ends with status 0 when every part has seen its samples.

import Foundation
import MotionStreams

/// A model as a view has it: on the main actor, without a word about isolation.
final class TiltModel {
  var roll = 0.0
  var samples: [DeviceMotion] = []
  var problem: String?

  func follow(_ count: Int) async {
    do {
      for try await motion in MotionUpdates.device(every: .milliseconds(10)) {
        MainActor.assertIsolated()
        roll = motion.attitude.roll
        samples.append(motion)
        if samples.count == count { return }
      }
    } catch {
      problem = error.sentence
    }
  }
}

/// A gesture recogniser that lives on an actor of its own.
actor Recogniser {
  private(set) var strongest = 0.0

  func watch(_ count: Int) async throws {
    var seen = 0
    for try await sample in MotionUpdates.accelerometer() {
      strongest = max(strongest, sample.acceleration.length)
      seen += 1
      if seen == count { return }
    }
  }
}

/// Work that belongs to no actor.
nonisolated func distinctTimes(_ samples: [DeviceMotion]) -> Int { Set(samples.map(\.timestamp)).count }

@main
struct StreamsMainActor {
  static func main() async throws {
    var isGood = true
    func check(_ name: String, _ condition: Bool) {
      print(condition ? "ok" : "FAILED", name)
      if !condition { isGood = false }
    }

    let model = TiltModel()
    await model.follow(20)
    check("main actor", model.problem == nil && model.samples.count == 20)
    let samples = model.samples
    check("nonisolated function", await Task.detached { distinctTimes(samples) }.value == 20)

    let detached = Task.detached {
      var rates: [RotationRateSample] = []
      for try await sample in MotionUpdates.gyroscope(buffering: .newest(10)) {
        rates.append(sample)
        if rates.count == 20 { break }
      }
      return rates
    }
    check("detached task", try await detached.value.count == 20)

    let recogniser = Recogniser()
    try await recogniser.watch(20)
    check("actor", await recogniser.strongest > 0)

    let endless = Task { await model.follow(.max) }
    try await Task.sleep(for: .milliseconds(100))
    endless.cancel()
    await endless.value
    check("cancelled task", model.problem == nil && model.samples.count > 20)

    do {
      for try await _ in MotionUpdates.water() { break }
      check("missing service", false)
    } catch {
      check("missing service", !error.sentence.isEmpty && !error.isNotice)
    }
    exit(isGood ? 0 : 1)
  }
}
