/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Content of a web configuration file.
 *
 * @param tls null if it has no TLS
 * @param headers additional headers of every response
 * @param users bcrypt hashes of passwords by name; empty if there is no basic authentication
 * @param rateLimit null if there is none
 */
record WebConfig(
    @Nullable TlsConfig tls,
    Map<String, String> headers,
    Map<String, String> users,
    @Nullable RateLimit rateLimit) {

  /** Returns whether every client needs a password or a certificate. */
  boolean needsLogin() {
    return !users.isEmpty()
        || (tls != null && tls.clientAuth().isNeeded() && tls.clientAuth().isVerified());
  }

  /**
   * Rate from which on requests are refused.
   *
   * @param intervalNanos time after which another request is allowed
   * @param burst number of requests that are allowed at once
   */
  record RateLimit(long intervalNanos, int burst) {}
}
