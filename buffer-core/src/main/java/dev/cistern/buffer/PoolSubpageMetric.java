/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** A subpage at one moment. */
public interface PoolSubpageMetric {
  /** Returns the number of slots of the subpage. */
  int maxNumElements();

  /** Returns the number of free slots. */
  int numAvailable();

  /** Returns the size of a slot in bytes. */
  int elementSize();

  /** Returns the size of the run that contains the slots, in bytes. */
  int pageSize();
}
