// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// A client that says `import CoreMotion` gets Foundation with it, as on Apple's systems.
@_exported public import Foundation
