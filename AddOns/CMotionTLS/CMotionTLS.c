// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

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
};

// From each list come a struct of pointers and their names.
#define POINTER(result, name, arguments) result(*name) arguments;
#define NAME(result, name, arguments) #name,
#define CRYPTO_FUNCTIONS(F)                                                                                            \
  F(int, OPENSSL_init_crypto, (uint64_t, const void *))                                                                \
  F(void *, EVP_PKEY_Q_keygen, (void *, const char *, const char *, ...))                                              \
  F(void, EVP_PKEY_free, (void *))                                                                                     \
  F(const void *, EVP_sha256, (void))                                                                                  \
  F(void *, X509_new, (void))                                                                                          \
  F(void, X509_free, (void *))                                                                                         \
  F(int, X509_set_version, (void *, long))                                                                             \
  F(void *, X509_get_serialNumber, (void *))                                                                           \
  F(int, ASN1_INTEGER_set_uint64, (void *, uint64_t))                                                                  \
  F(void *, X509_getm_notBefore, (const void *))                                                                       \
  F(void *, X509_getm_notAfter, (const void *))                                                                        \
  F(void *, X509_gmtime_adj, (void *, long))                                                                           \
  F(int, X509_set_pubkey, (void *, void *))                                                                            \
  F(void *, X509_get_subject_name, (const void *))                                                                     \
  F(int, X509_NAME_add_entry_by_txt, (void *, const char *, int, const unsigned char *, int, int, int))                \
  F(int, X509_set_issuer_name, (void *, const void *))                                                                 \
  F(void *, X509V3_EXT_conf_nid, (void *, void *, int, const char *))                                                  \
  F(int, X509_add_ext, (void *, void *, int))                                                                          \
  F(void, X509_EXTENSION_free, (void *))                                                                               \
  F(int, X509_sign, (void *, void *, const void *))                                                                    \
  F(int, X509_digest, (const void *, const void *, unsigned char *, unsigned int *))                                   \
  F(int, RAND_bytes, (unsigned char *, int))                                                                           \
  F(void, ERR_clear_error, (void))

#define SSL_FUNCTIONS(F)                                                                                               \
  F(const void *, TLS_server_method, (void))                                                                           \
  F(void *, SSL_CTX_new, (const void *))                                                                               \
  F(void, SSL_CTX_free, (void *))                                                                                      \
  F(long, SSL_CTX_ctrl, (void *, int, long, void *))                                                                   \
  F(int, SSL_CTX_use_certificate, (void *, void *))                                                                    \
  F(int, SSL_CTX_use_PrivateKey, (void *, void *))                                                                     \
  F(void *, SSL_new, (void *))                                                                                         \
  F(void, SSL_free, (void *))                                                                                          \
  F(int, SSL_set_fd, (void *, int))                                                                                    \
  F(void, SSL_set_accept_state, (void *))                                                                              \
  F(int, SSL_read, (void *, void *, int))                                                                              \
  F(int, SSL_write, (void *, const void *, int))                                                                       \
  F(int, SSL_get_error, (const void *, int))                                                                           \
  F(int, SSL_has_pending, (const void *))                                                                              \
  F(int, SSL_shutdown, (void *))

static struct {
  CRYPTO_FUNCTIONS(POINTER)
} crypto;
static struct {
  SSL_FUNCTIONS(POINTER)
} ssl;
static const char *const crypto_names[] = {CRYPTO_FUNCTIONS(NAME)};
static const char *const ssl_names[] = {SSL_FUNCTIONS(NAME)};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *problem;

// False when the library or one of the functions is not there. It stays loaded.
static int find(const char *library, const char *const *names, size_t count, void *table) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  for (size_t index = 0; handle != NULL && index < count; index++) {
    ((void **)table)[index] = dlsym(handle, names[index]);
    if (((void **)table)[index] == NULL) return 0;
  }
  return handle != NULL;
}

static void load(void) {
  if (!find("libcrypto.so.3", crypto_names, sizeof crypto / sizeof(void *), &crypto)
      || !find("libssl.so.3", ssl_names, sizeof ssl / sizeof(void *), &ssl))
    problem = "HTTPS needs OpenSSL 3 (libssl.so.3 and libcrypto.so.3): install the package libssl3.";
  else
    // OPENSSL_INIT_NO_ATEXIT (OPENSSL_init_crypto(3)): a program that ends frees nothing that the server still uses.
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
