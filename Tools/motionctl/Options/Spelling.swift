// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The word that a mistyped one was meant to be.
enum Spelling {
  /// The candidate with the fewest letters to insert, leave out, change or exchange with a neighbour, at most a third
  /// of the word and at least one; nil where none is that near.
  static func nearest(to word: String, of candidates: [String]) -> String? {
    let distances = candidates.map { (name: $0, distance: distance(Array(word.lowercased()), Array($0))) }
    return distances.min { $0.distance < $1.distance }.flatMap {
      $0.distance <= max(1, word.count / 3) || $0.name.hasPrefix(word.lowercased()) ? $0.name : nil
    }
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
