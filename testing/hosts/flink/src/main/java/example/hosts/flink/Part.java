/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.flink;

/** A part of a body. Flink serializes this class, so its fields are public. */
public final class Part {
  /** Number of the body. */
  public long body;

  /** Number of the part in its body. */
  public int number;

  /** Number of parts of the body. */
  public int parts;

  /** The content. */
  public byte[] bytes = {};

  /** For Flink. */
  public Part() {}

  Part(long body, int number, int parts, byte[] bytes) {
    this.body = body;
    this.number = number;
    this.parts = parts;
    this.bytes = bytes;
  }
}
