// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// All of the target on a Mac (see Package.swift): `import CoreMotion` then means Apple's framework, also where this
// module is found first.
@_exported public import CoreMotion
