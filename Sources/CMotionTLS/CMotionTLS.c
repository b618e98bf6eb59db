// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CMotionTLS.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

// OpenSSL's types are opaque here, and its constants are part of its binary interface.
enum {
  tls_1_2 = 0x0303,
  control_mode = 33,
  control_min_version = 123,
  // Partial writes, from a buffer that may have moved.
  mode_nonblocking = 1 | 2,
  error_want_read = 2,
  error_want_write = 3,
  error_zero_return = 6,
  nid_key_usage = 83,
  nid_alternative_name = 85,
  nid_basic_constraints = 87,
  nid_extended_key_usage = 126,
  string_ascii = 0x1001,
  init_without_cleanup = 0x00080000,
};

static struct {
  int (*OPENSSL_init_crypto)(uint64_t, const void *);
  void *(*EVP_PKEY_Q_keygen)(void *, const char *, const char *, ...);
  void (*EVP_PKEY_free)(void *);
  const void *(*EVP_sha256)(void);
  void *(*X509_new)(void);
  void (*X509_free)(void *);
  int (*X509_set_version)(void *, long);
  void *(*X509_get_serialNumber)(void *);
  int (*ASN1_INTEGER_set_uint64)(void *, uint64_t);
  void *(*X509_getm_notBefore)(const void *);
  void *(*X509_getm_notAfter)(const void *);
  void *(*X509_gmtime_adj)(void *, long);
  int (*X509_set_pubkey)(void *, void *);
  void *(*X509_get_subject_name)(const void *);
  int (*X509_NAME_add_entry_by_txt)(void *, const char *, int, const unsigned char *, int, int, int);
  int (*X509_set_issuer_name)(void *, const void *);
  void *(*X509V3_EXT_conf_nid)(void *, void *, int, const char *);
  int (*X509_add_ext)(void *, void *, int);
  void (*X509_EXTENSION_free)(void *);
  int (*X509_sign)(void *, void *, const void *);
  int (*X509_digest)(const void *, const void *, unsigned char *, unsigned int *);
  int (*RAND_bytes)(unsigned char *, int);
  void (*ERR_clear_error)(void);
} crypto;

static struct {
  const void *(*TLS_server_method)(void);
  void *(*SSL_CTX_new)(const void *);
  void (*SSL_CTX_free)(void *);
  long (*SSL_CTX_ctrl)(void *, int, long, void *);
  int (*SSL_CTX_use_certificate)(void *, void *);
  int (*SSL_CTX_use_PrivateKey)(void *, void *);
  void *(*SSL_new)(void *);
  void (*SSL_free)(void *);
  int (*SSL_set_fd)(void *, int);
  void (*SSL_set_accept_state)(void *);
  int (*SSL_read)(void *, void *, int);
  int (*SSL_write)(void *, const void *, int);
  int (*SSL_get_error)(const void *, int);
  int (*SSL_has_pending)(const void *);
  int (*SSL_shutdown)(void *);
} ssl;

#define NAME(table, function) {#function, offsetof(__typeof__(table), function)}
static const struct symbol {
  const char *name;
  size_t offset;
} crypto_symbols[] = {
    NAME(crypto, OPENSSL_init_crypto),
    NAME(crypto, EVP_PKEY_Q_keygen),
    NAME(crypto, EVP_PKEY_free),
    NAME(crypto, EVP_sha256),
    NAME(crypto, X509_new),
    NAME(crypto, X509_free),
    NAME(crypto, X509_set_version),
    NAME(crypto, X509_get_serialNumber),
    NAME(crypto, ASN1_INTEGER_set_uint64),
    NAME(crypto, X509_getm_notBefore),
    NAME(crypto, X509_getm_notAfter),
    NAME(crypto, X509_gmtime_adj),
    NAME(crypto, X509_set_pubkey),
    NAME(crypto, X509_get_subject_name),
    NAME(crypto, X509_NAME_add_entry_by_txt),
    NAME(crypto, X509_set_issuer_name),
    NAME(crypto, X509V3_EXT_conf_nid),
    NAME(crypto, X509_add_ext),
    NAME(crypto, X509_EXTENSION_free),
    NAME(crypto, X509_sign),
    NAME(crypto, X509_digest),
    NAME(crypto, RAND_bytes),
    NAME(crypto, ERR_clear_error),
}, ssl_symbols[] = {
    NAME(ssl, TLS_server_method),
    NAME(ssl, SSL_CTX_new),
    NAME(ssl, SSL_CTX_free),
    NAME(ssl, SSL_CTX_ctrl),
    NAME(ssl, SSL_CTX_use_certificate),
    NAME(ssl, SSL_CTX_use_PrivateKey),
    NAME(ssl, SSL_new),
    NAME(ssl, SSL_free),
    NAME(ssl, SSL_set_fd),
    NAME(ssl, SSL_set_accept_state),
    NAME(ssl, SSL_read),
    NAME(ssl, SSL_write),
    NAME(ssl, SSL_get_error),
    NAME(ssl, SSL_has_pending),
    NAME(ssl, SSL_shutdown),
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *problem;

static int fill(void *table, const char *name, const struct symbol *symbols, size_t count) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return 0;
  for (size_t index = 0; index < count; index++) {
    void *symbol = dlsym(library, symbols[index].name);
    if (symbol == NULL) return 0;
    *(void **)((char *)table + symbols[index].offset) = symbol;
  }
  return 1;
}

static void load(void) {
  // Without its cleanup at exit, which would take OpenSSL away from the threads of servers that still run then.
  if (!fill(&crypto, "libcrypto.so.3", crypto_symbols, sizeof crypto_symbols / sizeof crypto_symbols[0])
      || !crypto.OPENSSL_init_crypto(init_without_cleanup, NULL)
      || !fill(&ssl, "libssl.so.3", ssl_symbols, sizeof ssl_symbols / sizeof ssl_symbols[0]))
    problem = "HTTPS needs OpenSSL 3 (libssl.so.3 and libcrypto.so.3): install the package libssl3.";
  else
    // OPENSSL_INIT_NO_ATEXIT (OPENSSL_init_crypto(3)): a program that ends frees nothing that the server's thread still uses.
    crypto.OPENSSL_init_crypto(0x00080000, NULL);
}

static int add_extension(void *certificate, int kind, const char *value) {
  void *extension = crypto.X509V3_EXT_conf_nid(NULL, NULL, kind, value);
  if (extension == NULL) return 0;
  int is_added = crypto.X509_add_ext(certificate, extension, -1);
  crypto.X509_EXTENSION_free(extension);
  return is_added;
}

// RFC 5280. Apple's systems want a name in subjectAltName, the extended key usage, and at most 825 days (support.apple.com/en-us/103769).
static int fill_certificate(void *certificate, void *key, const char *names, int days) {
  uint64_t serial = 0;
  if (crypto.RAND_bytes((unsigned char *)&serial, sizeof serial) != 1) return 0;
  void *subject = crypto.X509_get_subject_name(certificate);
  const long day = 24 * 60 * 60;
  return crypto.X509_set_version(certificate, 2)
         && crypto.ASN1_INTEGER_set_uint64(crypto.X509_get_serialNumber(certificate), serial >> 1 | 1)
         && crypto.X509_gmtime_adj(crypto.X509_getm_notBefore(certificate), -day) != NULL
         && crypto.X509_gmtime_adj(crypto.X509_getm_notAfter(certificate), day * days) != NULL
         && crypto.X509_set_pubkey(certificate, key)
         && crypto.X509_NAME_add_entry_by_txt(
             subject, "CN", string_ascii, (const unsigned char *)"OpenCoreMotion", -1, -1, 0)
         && crypto.X509_set_issuer_name(certificate, subject)
         && add_extension(certificate, nid_basic_constraints, "critical,CA:FALSE")
         && add_extension(certificate, nid_key_usage, "critical,digitalSignature")
         && add_extension(certificate, nid_extended_key_usage, "serverAuth")
         && add_extension(certificate, nid_alternative_name, names)
         && crypto.X509_sign(certificate, key, crypto.EVP_sha256()) > 0;
}

motion_tls_identity *motion_tls_self_signed(const char *names, int days, uint8_t *fingerprint, const char **reason) {
  pthread_once(&once, load);
  *reason = problem;
  if (problem != NULL) return NULL;
  void *key = crypto.EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
  void *certificate = crypto.X509_new();
  void *context = ssl.SSL_CTX_new(ssl.TLS_server_method());
  unsigned int size = 32;
  int is_made = key != NULL && certificate != NULL && context != NULL
                && fill_certificate(certificate, key, names, days)
                && crypto.X509_digest(certificate, crypto.EVP_sha256(), fingerprint, &size)
                && ssl.SSL_CTX_ctrl(context, control_min_version, tls_1_2, NULL)
                && ssl.SSL_CTX_use_certificate(context, certificate) && ssl.SSL_CTX_use_PrivateKey(context, key);
  if (is_made) ssl.SSL_CTX_ctrl(context, control_mode, mode_nonblocking, NULL);
  // The context holds what it needs.
  crypto.X509_free(certificate);
  crypto.EVP_PKEY_free(key);
  if (is_made) return context;
  ssl.SSL_CTX_free(context);
  crypto.ERR_clear_error();
  *reason = "OpenSSL could not make a certificate for these names.";
  return NULL;
}

void motion_tls_free_identity(motion_tls_identity *identity) { ssl.SSL_CTX_free(identity); }

motion_tls_session *motion_tls_accept(motion_tls_identity *identity, int descriptor) {
  void *session = ssl.SSL_new(identity);
  if (session == NULL) return NULL;
  if (!ssl.SSL_set_fd(session, descriptor)) {
    ssl.SSL_free(session);
    return NULL;
  }
  ssl.SSL_set_accept_state(session);
  return session;
}

static long outcome(void *session, int result) {
  if (result > 0) return result;
  switch (ssl.SSL_get_error(session, result)) {
    case error_zero_return: return 0;
    case error_want_read: return MOTION_TLS_WANTS_READ;
    case error_want_write: return MOTION_TLS_WANTS_WRITE;
    default: return MOTION_TLS_FAILED;
  }
}

// SSL_get_error looks at the thread's list of errors, so an old one must not be there.
long motion_tls_read(motion_tls_session *session, void *bytes, size_t count) {
  crypto.ERR_clear_error();
  return outcome(session, ssl.SSL_read(session, bytes, count > 1 << 30 ? 1 << 30 : (int)count));
}

long motion_tls_write(motion_tls_session *session, const void *bytes, size_t count) {
  crypto.ERR_clear_error();
  return outcome(session, ssl.SSL_write(session, bytes, count > 1 << 30 ? 1 << 30 : (int)count));
}

int motion_tls_has_pending(motion_tls_session *session) { return ssl.SSL_has_pending(session); }

void motion_tls_shut(motion_tls_session *session) {
  crypto.ERR_clear_error();
  ssl.SSL_shutdown(session);
}

void motion_tls_free(motion_tls_session *session) {
  ssl.SSL_free(session);
  crypto.ERR_clear_error();
}

void motion_tls_block_sigpipe(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
}
