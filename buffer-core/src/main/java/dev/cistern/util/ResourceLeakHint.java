/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

/** An object with a text of its own for reports of leaks. */
public interface ResourceLeakHint {
  /** What the report shows; asked for when the access is recorded, not when the leak is found. */
  String toHintString();
}
