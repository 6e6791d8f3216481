/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import java.util.regex.Pattern;

/** Recognizes the names of this machine in a {@code Host} header. */
final class LoopbackHost {
  private static final Pattern LOOPBACK =
      Pattern.compile(
          "(localhost|127(\\.\\d{1,3}){3}|\\[::1])(:\\d{1,5})?", Pattern.CASE_INSENSITIVE);

  private LoopbackHost() {}

  static boolean matches(String host) {
    return LOOPBACK.matcher(host.trim()).matches();
  }
}
