/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import java.util.regex.Pattern;

/** Knows the names that a {@code Host} header may give to this very machine. */
final class LoopbackHost {
  private static final Pattern LOOPBACK =
      Pattern.compile(
          "(localhost|127(\\.\\d{1,3}){3}|\\[::1])(:\\d{1,5})?", Pattern.CASE_INSENSITIVE);

  private LoopbackHost() {}

  static boolean matches(String host) {
    return LOOPBACK.matcher(host.trim()).matches();
  }
}
