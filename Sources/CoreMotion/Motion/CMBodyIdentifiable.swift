// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Something whose own axes device motion can be expressed in, such as a view on Apple's systems. No type of this package
/// conforms: here the device's axes are used (S30).
public protocol CMBodyIdentifiable: NSObjectProtocol {}
