/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a web configuration file says.
 *
 * @param tls null if it has no TLS
 * @param headers to add to every answer
 * @param users bcrypt hashes of passwords by name; empty if there is no basic authentication
 * @param rateLimit null if there is none
 */
record WebConfig(
    @Nullable TlsConfig tls,
    Map<String, String> headers,
    Map<String, String> users,
    @Nullable RateLimit rateLimit) {

  /** Whether nobody gets in without a password or a certificate. */
  boolean needsLogin() {
    return !users.isEmpty()
        || (tls != null && tls.clientAuth().isNeeded() && tls.clientAuth().isVerified());
  }

  /**
   * At how many requests others are refused.
   *
   * @param intervalNanos time in which one more is allowed
   * @param burst how many may come at once
   */
  record RateLimit(long intervalNanos, int burst) {}
}
