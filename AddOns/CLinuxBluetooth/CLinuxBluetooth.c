// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#include "CLinuxBluetooth.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
  bluetooth_family = 31,
  bluetooth_l2cap = 0,
  bluetooth_level = 274,
  bluetooth_security = 4,
  security_medium = 2,
  l2cap_level = 6,
  l2cap_options_name = 1,
  classic_address = 0,
};

struct l2cap_address {
  sa_family_t family;
  uint8_t psm[2];      // little endian
  uint8_t address[6];  // the last written byte first
  uint8_t channel[2];
  uint8_t address_type;
};

struct bluetooth_security_level {
  uint8_t level;
  uint8_t key_size;
};

struct l2cap_options_value {
  uint16_t outbound_mtu;
  uint16_t inbound_mtu;
  uint16_t flush_timeout;
  uint8_t mode;
  uint8_t frame_check;
  uint8_t most_transmissions;
  uint16_t window;
};

_Static_assert(sizeof(struct l2cap_address) == 14, "struct sockaddr_l2 of the kernel");
_Static_assert(sizeof(struct l2cap_options_value) == 12, "struct l2cap_options of the kernel");

static int failed(int descriptor) {
  int error = errno;
  close(descriptor);
  return -error;
}

int motion_l2cap_socket(uint16_t inbound_mtu) {
  int descriptor = socket(bluetooth_family, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, bluetooth_l2cap);
  if (descriptor < 0) return -errno;
  struct bluetooth_security_level security = {.level = security_medium, .key_size = 0};
  if (setsockopt(descriptor, bluetooth_level, bluetooth_security, &security, sizeof security) < 0)
    return failed(descriptor);
  // The kernel fills in the other options, and takes them back as they were.
  struct l2cap_options_value options;
  memset(&options, 0, sizeof options);
  socklen_t length = sizeof options;
  if (getsockopt(descriptor, l2cap_level, l2cap_options_name, &options, &length) < 0) return failed(descriptor);
  options.inbound_mtu = inbound_mtu;
  if (setsockopt(descriptor, l2cap_level, l2cap_options_name, &options, sizeof options) < 0)
    return failed(descriptor);
  return descriptor;
}

int motion_l2cap_connect(int descriptor, const uint8_t address[6], uint16_t psm) {
  struct l2cap_address peer;
  memset(&peer, 0, sizeof peer);
  peer.family = bluetooth_family;
  peer.psm[0] = (uint8_t)(psm & 0xFF);
  peer.psm[1] = (uint8_t)(psm >> 8);
  for (int index = 0; index < 6; index++) peer.address[index] = address[5 - index];
  peer.address_type = classic_address;
  if (connect(descriptor, (const struct sockaddr *)&peer, sizeof peer) == 0) return 0;
  return errno;
}

int motion_socket_error(int descriptor) {
  int error = 0;
  socklen_t length = sizeof error;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) < 0) return errno;
  return error;
}

int motion_l2cap_security(int descriptor) {
  struct bluetooth_security_level security = {0, 0};
  socklen_t length = sizeof security;
  if (getsockopt(descriptor, bluetooth_level, bluetooth_security, &security, &length) < 0) return -errno;
  return security.level;
}
