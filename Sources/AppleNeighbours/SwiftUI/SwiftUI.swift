// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// What a model needs of SwiftUI: `ObservableObject` and `@Published` come with Combine, `@Observable` with the
// toolchain. There is no view, no state of a view and no app: Linux has nothing to show them.

@_exported public import Combine
@_exported public import CoreGraphics
@_exported public import Foundation
@_exported public import Observation
