/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.nio.charset.StandardCharsets;

/** An answer as it came over the wire. */
public final class HttpReply {
  private final int status;
  private final byte[] raw;
  private final byte[] body;

  HttpReply(int status, byte[] raw, byte[] body) {
    this.status = status;
    this.raw = raw;
    this.body = body;
  }

  /** HTTP status code. */
  public int status() {
    return status;
  }

  /** Every byte of it: status line, headers, framing, body. Not a copy. */
  public byte[] raw() {
    return raw;
  }

  /** The body without its framing. Not a copy. */
  public byte[] body() {
    return body;
  }

  /** The body as UTF-8 text. */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }
}
