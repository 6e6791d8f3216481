/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

/** An object that says itself how a leak's report is to name it (seed row E4). */
public interface ResourceLeakHint {
  /** What the report shows; asked for when the access is recorded, not when the leak is found. */
  String toHintString();
}
