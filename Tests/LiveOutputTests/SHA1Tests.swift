import Testing
@testable import LiveOutput
@Suite struct Empty {}
