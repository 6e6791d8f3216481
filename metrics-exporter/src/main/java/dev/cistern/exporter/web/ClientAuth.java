/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Requirements for a client's certificate. */
enum ClientAuth {
  NONE("NoClientCert", false, false, false),
  REQUEST("RequestClientCert", true, false, false),
  REQUIRE_ANY("RequireAnyClientCert", true, true, false),
  VERIFY_IF_GIVEN("VerifyClientCertIfGiven", true, false, true),
  REQUIRE_AND_VERIFY("RequireAndVerifyClientCert", true, true, true);

  private final String text;
  private final boolean wanted;
  private final boolean needed;
  private final boolean verified;

  ClientAuth(String text, boolean wanted, boolean needed, boolean verified) {
    this.text = text;
    this.wanted = wanted;
    this.needed = needed;
    this.verified = verified;
  }

  /** Returns whether the server requests a certificate. */
  boolean isWanted() {
    return wanted;
  }

  /** Returns whether a connection requires a certificate. */
  boolean isNeeded() {
    return needed;
  }

  /** Returns whether a known authority must have issued the certificate. */
  boolean isVerified() {
    return verified;
  }

  /** Returns the value with this name in the file; null if there is none. */
  static @Nullable ClientAuth of(String text) {
    return Arrays.stream(values()).filter(a -> a.text.equals(text)).findFirst().orElse(null);
  }

  static String allowed() {
    return Arrays.stream(values()).map(a -> a.text).collect(Collectors.joining(", "));
  }
}
