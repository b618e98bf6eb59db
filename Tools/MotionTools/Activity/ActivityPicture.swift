// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import ActivitySummary
import MotionServices

/// Cadence and steps over time, with a band for each activity.
package enum ActivityPicture {
  /// Points over the whole time: more than a page has pixels.
  private static let points = 4000

  /// Nil for what is not known or not decided.
  private static func color(of activity: MotionActivity) -> Color? {
    let colors: [(MotionActivity, UInt32)] = [
      (.automotive, 0xEADCF5), (.cycling, 0xE0F3DC), (.running, 0xFFDFBF), (.walking, 0xDDF0FA),
      (.stationary, 0xEEF0F2),
    ]
    return colors.first { activity.contains($0.0) }.map { Color($0.1) }
  }

  package static func chart(of tally: ActivityTally, title: String, subtitle: String) -> Chart {
    var times: [Double] = []
    var cadence: [Double] = []
    var steps: [Double] = []
    var (index, before) = (0, 0)
    for point in 0...points {
      let time = tally.duration * Double(point) / Double(points)
      while index < tally.epochs.count, tally.elapsed(at: tally.epochs[index].end) < time {
        before += tally.epochs[index].steps
        index += 1
      }
      var (now, done) = (Double.nan, 0.0)
      if index < tally.epochs.count {
        let epoch = tally.epochs[index]
        let (from, to) = (tally.elapsed(at: epoch.start), tally.elapsed(at: epoch.end))
        if from <= time, to > from {
          now = Double(epoch.steps) / (to - from) * 60
          done = Double(epoch.steps) * (time - from) / (to - from)
        }
      }
      times.append(time)
      cadence.append(now)
      steps.append(Double(before) + done)
    }
    return Chart(
      title: title, subtitle: subtitle, times: times,
      panels: [
        Chart.Panel(
          title: "Cadence", unit: "steps/min", series: [Chart.Series(name: "cadence", color: .ink, values: cadence)],
          range: 0...max(200, (cadence.filter(\.isFinite).max() ?? 0) * 1.05), leastSpan: 60, gaps: tally.breaks),
        Chart.Panel(
          title: "Steps", unit: "count", series: [Chart.Series(name: "steps", color: .ink, values: steps)],
          leastSpan: 10, gaps: tally.breaks),
      ],
      bands: tally.spans.compactMap { span in
        color(of: span.activity).map { Chart.Band(name: span.activity.name, from: span.start, to: span.end, color: $0) }
      })
  }
}
