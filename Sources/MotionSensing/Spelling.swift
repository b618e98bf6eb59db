// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The word that a mistyped one was meant to be: of commands, simulations, schemes and options.
package enum Spelling {
  /// The candidate with the fewest letters to insert, leave out, change or exchange with a neighbour, at most a third
  /// of the word and at least one, or that begins with the word; nil where none is that near. Of two that are as near,
  /// the one that begins alike for longer.
  package static func nearest(to word: String, of candidates: [String]) -> String? {
    let letters = Array(word.lowercased())
    guard !letters.isEmpty else { return nil }
    let distances = candidates.map { name in
      let other = Array(name.lowercased())
      return (name: name, distance: distance(letters, other), alike: zip(letters, other).prefix { $0 == $1 }.count)
    }
    return distances.min { ($0.distance, $1.alike) < ($1.distance, $0.alike) }.flatMap {
      $0.distance <= max(1, letters.count / 3) || $0.name.hasPrefix(word.lowercased()) ? $0.name : nil
    }
  }

  /// What follows "There is no simulation “wlak”": a question where a candidate is near, and a clause that stands behind
  /// either.
  package static func question(for word: String, of candidates: [String], then clause: String) -> String {
    guard let nearest = nearest(to: word, of: candidates) else { return "; \(clause)" }
    return ": did you mean “\(nearest)”? \(clause.prefix(1).uppercased())\(clause.dropFirst())"
  }

  /// Optimal string alignment, a row of the table for each letter of `a`.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var (before, last) = ([Int](), Array(0...b.count))
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
        row.append(cost)
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }
}
