/* Copyright 2026 The Cistern Authors
 * SPDX-License-Identifier: Apache-2.0 */
package dev.cistern.demo;

import java.nio.charset.StandardCharsets;

/**
 * An answer as it came over the wire.
 *
 * @param status HTTP status code
 * @param raw every byte of it: status line, headers, framing, body
 * @param body the body without its framing
 */
public record HttpReply(int status, byte[] raw, byte[] body) {
  /** The body as UTF-8 text. */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }
}
