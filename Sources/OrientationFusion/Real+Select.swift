// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// What a choice between numbers is for one stream; for several side by side see `Lanes`.

/// `a` where `condition` holds, else `b`.
@inline(__always)
func select(_ condition: Mask, _ a: Real, _ b: Real) -> Real { condition ? a : b }

/// `a` where `condition` holds, else `b`.
@inline(__always)
func select(_ condition: Mask, _ a: Mask, _ b: Mask) -> Mask { condition ? a : b }

/// `a` where `condition` holds, else `b`.
@inline(__always)
func select(_ condition: Mask, _ a: Real3, _ b: Real3) -> Real3 { condition ? a : b }

/// Whether the condition holds for any stream.
@inline(__always)
func any(_ condition: Mask) -> Bool { condition }

/// Whether the condition holds for every stream.
@inline(__always)
func all(_ condition: Mask) -> Bool { condition }

extension SIMD4 where Scalar == Real {
  /// Three numbers and a zero.
  @inline(__always)
  init(_ x: Real, _ y: Real, _ z: Real) { self.init(x, y, z, 0) }
}
