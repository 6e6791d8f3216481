/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** A subpage at one moment. */
public interface PoolSubpageMetric {
  /** Slots of the subpage. */
  int maxNumElements();

  /** Free slots. */
  int numAvailable();

  /** Size of a slot in bytes. */
  int elementSize();

  /** Size of the run that holds the slots, in bytes. */
  int pageSize();
}
