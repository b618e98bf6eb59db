// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Connection-oriented Bluetooth sockets (L2CAP). The kernel's interface is stable, but its structures come with BlueZ's development
// files and not with the kernel's headers, so they are written down here from the kernel's own definition.

#ifndef CLINUXBLUETOOTH_H
#define CLINUXBLUETOOTH_H

#include <stdint.h>
#include "CSystemBus.h"

/// A non-blocking, close-on-exec L2CAP socket for a classic (BR/EDR) link with an encrypted link asked for (security MEDIUM) and the
/// given largest packet to be received. Returns the descriptor, or minus an error number.
int motion_l2cap_socket(uint16_t inbound_mtu);

/// Begins to connect to a device, whose address has its first written byte first, and a protocol number. Returns 0 when
/// connected, EINPROGRESS, or another error number.
int motion_l2cap_connect(int descriptor, const uint8_t address[6], uint16_t psm);

/// The error number that is pending on a socket; 0 = none.
int motion_socket_error(int descriptor);

/// The security level of the link: 1 low, 2 medium (encrypted), 3 high; or minus an error number.
int motion_l2cap_security(int descriptor);

#endif
