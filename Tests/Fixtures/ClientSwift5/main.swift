// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Client code in the shapes that programs for Apple's framework have, compiled in Swift 5 and in Swift 6 mode from the
// same files. It knows nothing of this package: `import CoreMotion` and nothing else. Its sensors come from the
// environment.
//
// Prints one line per shape, "ok NAME", and ends with status 0 when every shape has done what it should.

import CoreMotion

MainActor.assumeIsolated { runAllShapes() }
