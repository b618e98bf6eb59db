// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import PhoneFormats

/// Which columns of a table are wanted, and what they hold.
struct TableLayout: Sendable {
  /// What stands between two fields.
  enum Separator: Sendable, Hashable {
    /// One or more spaces or tabs; lines that begin with "#" are comments.
    case blanks
    /// One byte; fields may be quoted.
    case byte(UInt8)
  }

  /// What a column holds and where it goes.
  enum Content: Sendable, Hashable {
    /// A finite number, multiplied with a unit or a sign, into the given place of the row's numbers.
    case number(slot: Int, scale: Double = 1)
    /// A time in units of 10^(−decimals) seconds below one: 9 seconds, 6 milliseconds, 0 nanoseconds.
    case instant(slot: Int, decimals: Int)
    /// A time as people write it: a date, a time of day, days of a spreadsheet.
    case clock(slot: Int, ClockField)
    /// A word of a vocabulary, as its number there.
    case word(slot: Int, Vocabulary)

    /// What a cell should have been, for messages.
    var noun: String {
      switch self {
      case .instant, .clock: "a time"
      case .number: "a number"
      case .word(_, .location): "the number of a location (0 to 255)"
      case .word(_, .sensor): "the name of a sensor"
      case .word: "a reference frame"
      }
    }
  }

  /// The words that a column may hold.
  enum Vocabulary: Sendable, Hashable {
    /// Core Motion's reference frames by their names, or by their raw values (1, 2, 4, 8) as tidy CSVs have them; the
    /// number is the raw value of ``MotionRow/Reference``.
    case referenceFrame
    /// Core Motion's raw values of a sensor's location, as tidy CSVs hold them. One that we have no name for is the
    /// device's.
    case location
    /// Sensor Logger's `devicelocation`; the number is the raw value of ``MotionRow/Location``.
    case headphoneLocation
    /// The name of the sensor that a row is of, in lower case; the number is 1 for this one, 0 for any other.
    case sensor(String)
  }

  struct Column: Sendable, Hashable {
    /// Counted from 0.
    var index: Int
    /// For messages.
    var name: String
    var content: Content
    /// An empty cell is absence (NaN, `Int64.min`), not damage.
    var isOptional = false

    var isTime: Bool {
      switch content {
      case .instant, .clock: true
      default: false
      }
    }
  }

  var separator: Separator
  /// Lines before the first row: comments before the names, and the names.
  var headerLines: Int
  /// How many fields a row has.
  var columnCount: Int
  var columns: [Column] = []
  /// Rows are in the order of instant 0; repeats and steps back are counted. False for a look at some of them.
  var isOrdered = true
  /// What is wrong with a row as a whole is reported here; false where several tables lie in one file, for all but the
  /// first of them.
  var reportsRows = true
  /// A comma separates decimals too. Only where it does not separate fields.
  var acceptsDecimalComma = false
  /// An empty line ends the table: what follows is another one.
  var endsAtBlankLine = false
  /// Rows that have another number in this slot are passed over.
  var filter: (slot: Int, value: Double)?
  /// How the times of instant 0 become the recording's; nil: as they stand.
  var timeLine: TimeLine?

  /// A clock other than a plain column.
  enum TimeLine: Sendable, Hashable {
    /// No usable time: the row's number at this rate, Hz.
    case rowNumber(rate: Double)
    /// A stopwatch that was paused: behind each `start` of its own time, ns, `shift` is added.
    case pieces([Piece])
    /// A counter or a time of day, in units of so many ns, that starts again at 0 when it is full.
    case wrapping(unit: Int64)
    /// A date in instant 1, a time of day in instant 0.
    case dated
    /// Rows repeat their readings until there are new ones: a row counts when its time has changed. 0: none as yet.
    case updates
  }

  struct Piece: Sendable, Hashable {
    var start: Int64
    var shift: Int64
  }
}

extension TableLayout.Vocabulary {
  /// The number of a word in lower case; nil when the vocabulary lacks it.
  func number(of word: String) -> UInt8? {
    switch self {
    case .sensor(let name): return word == name ? 1 : 0
    case .location: return Double(word).flatMap(UInt8.init(exactly:))
    case .headphoneLocation: return SensorLogger.location(word).rawValue
    case .referenceFrame:
      let reference: MotionRow.Reference? =
        switch word {
        case "1", "xarbitraryzvertical": .xArbitrary
        case "2", "xarbitrarycorrectedzvertical": .xArbitraryCorrected
        case "4", "xmagneticnorthzvertical": .xMagneticNorth
        case "8", "xtruenorthzvertical": .xTrueNorth
        default: nil
        }
      return reference?.rawValue
    }
  }
}
