// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionRecording
import MotionSensing
import MotionServices
import SimulatedSources

/// The pressures of a simulation, in memory, until `span` seconds.
func pressures(of source: SimulatedSource, span: Double, kinds: SensorKinds) -> [PressureSample] {
  let samples = Lock<[PressureSample]>([])
  let session = SensorSession(
    clock: FreeRunningClock(), request: SensorRequest(kinds: kinds, interval: .zero)
  ) { sample, _ throws(SourceStopped) in
    if sample.time.seconds >= span { throw SourceStopped() }
    if case .pressure(let pressure) = sample { samples.withLock { $0.append(pressure) } }
  }
  // It ends by the sink's own stop.
  try? source.run(session)
  return samples.withLock { $0 }
}

/// What an estimator said, by kind.
struct WaterLog {
  var events: [SubmersionUpdate.Event] = []
  var measurements: [SubmersionUpdate.Measurement] = []
  var temperatures: [SubmersionUpdate.Temperature] = []
  var problems: [SensorError] = []
  var estimator: SubmersionEstimator

  init(_ samples: [PressureSample] = [], parameters: SubmersionEstimator.Parameters = .init()) {
    estimator = SubmersionEstimator(parameters: parameters)
    feed(samples)
  }

  mutating func feed(_ samples: [PressureSample]) {
    for sample in samples { take(estimator.update(sample)) }
  }

  mutating func take(_ update: SubmersionUpdate) {
    if let event = update.event { events.append(event) }
    if let measurement = update.measurement { measurements.append(measurement) }
    if let temperature = update.temperature { temperatures.append(temperature) }
    if let problem = update.problem { problems.append(problem) }
  }

  /// The depth states, repeats left out.
  var states: [SubmersionUpdate.DepthState] {
    measurements.reduce(into: []) { if $0.last != $1.state { $0.append($1.state) } }
  }

  func events(_ state: SubmersionUpdate.Submersion) -> [Double] {
    events.filter { $0.state == state }.map(\.time.seconds)
  }
}

/// Pressures by a recipe: metres of EN 13319 water at `seconds`, at `rate` Hz, over air of `surface` pascal.
func waterSamples(
  until end: Double, from start: Double = 0, rate: Double = 10, surface: Double = 101_325, noise: Double = 5,
  depth: (Double) -> Double
) -> [PressureSample] {
  (Int(start * rate)..<Int(end * rate)).map { index in
    let seconds = Double(index) / rate
    // A small noise that needs no random numbers, so that a living sensor never repeats itself.
    let wobble = noise * Scalar.sin(Double(index) * 1.7)
    return PressureSample(
      time: SensorInstant(nanoseconds: Int64((seconds * 1e9).rounded())),
      pressure: WaterDensity.en13319.pressure(atDepth: depth(seconds), surfacePressure: surface) + wobble,
      temperature: 15, medium: .water)
  }
}

extension SharedData {
  static func pressures(_ name: String) throws -> (info: SensorInfo, samples: [PressureSample]) {
    let recording = try Recording.open(path: folder + "/" + name)
    let reader = try recording.makeReader()
    var samples: [PressureSample] = []
    while let sample = try reader.next() {
      if case .pressure(let pressure) = sample { samples.append(pressure) }
    }
    return (recording.info, samples)
  }
}
