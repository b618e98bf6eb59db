// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// TLS for a server with a certificate of its own, by OpenSSL 3 (Apache-2.0), which is loaded when it is first needed: a
// program that does without TLS does without OpenSSL. The functions of OpenSSL that are called have had the same form since 3.0.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct motion_tls_identity motion_tls_identity;
typedef struct motion_tls_session motion_tls_session;

/// What motion_tls_read and motion_tls_write return instead of a count.
enum { MOTION_TLS_FAILED = -1, MOTION_TLS_WANTS_READ = -2, MOTION_TLS_WANTS_WRITE = -3 };

/// A new P-256 key and a certificate for `names` ("DNS:localhost,IP:127.0.0.1"), valid from yesterday for `days`; both are in memory
/// only. `fingerprint` gets the certificate's SHA-256. NULL with `reason`, a constant sentence, when it cannot be made.
motion_tls_identity *_Nullable motion_tls_self_signed(
    const char *_Nonnull names, int days, uint8_t *_Nonnull fingerprint, const char *_Nullable *_Nonnull reason);
void motion_tls_free_identity(motion_tls_identity *_Nonnull identity);

/// The server's side of a connection on a non-blocking socket; the handshake is part of the first reads. NULL without memory.
motion_tls_session *_Nullable motion_tls_accept(motion_tls_identity *_Nonnull identity, int descriptor);
/// A count, 0 at the end, or one of the values above.
long motion_tls_read(motion_tls_session *_Nonnull session, void *_Nonnull bytes, size_t count);
long motion_tls_write(motion_tls_session *_Nonnull session, const void *_Nonnull bytes, size_t count);
/// Whether decrypted bytes wait that no poll of the socket tells of.
int motion_tls_has_pending(motion_tls_session *_Nonnull session);
/// Says once that nothing more will be written.
void motion_tls_shut(motion_tls_session *_Nonnull session);
void motion_tls_free(motion_tls_session *_Nonnull session);

/// OpenSSL writes without MSG_NOSIGNAL: the calling thread is not to be ended by a peer that has gone.
void motion_tls_block_sigpipe(void);
