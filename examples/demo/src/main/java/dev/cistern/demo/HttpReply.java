/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.nio.charset.StandardCharsets;

/** A response with its bytes as received. */
public final class HttpReply {
  private final int status;
  private final byte[] raw;
  private final byte[] body;

  HttpReply(int status, byte[] raw, byte[] body) {
    this.status = status;
    this.raw = raw;
    this.body = body;
  }

  /** Returns the HTTP status code. */
  public int status() {
    return status;
  }

  /** Returns every byte of the response: status line, headers, framing, body. Not a copy. */
  public byte[] raw() {
    return raw;
  }

  /** Returns the body without its framing. Not a copy. */
  public byte[] body() {
    return body;
  }

  /** Returns the body as UTF-8 text. */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }
}
