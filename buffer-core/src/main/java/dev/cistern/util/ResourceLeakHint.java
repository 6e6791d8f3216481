/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

/** An object that defines its text in leak reports. */
public interface ResourceLeakHint {
  /**
   * Returns the text for the report. The library calls this when it records an access, not when it
   * finds a leak.
   */
  String toHintString();
}
