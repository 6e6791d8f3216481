/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.profile;

import java.util.Locale;

/** The values of a stack, in the order of Go's heap profiles. */
enum ProfileValue {
  /** Buffers that were allocated since start. */
  ALLOC_OBJECTS,
  /** Bytes that were allocated since start. */
  ALLOC_SPACE,
  /** Live buffers. */
  INUSE_OBJECTS,
  /** Bytes of live buffers. */
  INUSE_SPACE;

  /** Returns the name of the value in Go's heap profiles. */
  String type() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the unit of the value. */
  String unit() {
    return this == ALLOC_SPACE || this == INUSE_SPACE ? "bytes" : "count";
  }
}
