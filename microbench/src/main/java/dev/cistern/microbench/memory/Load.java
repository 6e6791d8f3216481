/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

/** A scenario that is about to run: what it needs on the heap is there already. */
interface Load {
  void run() throws Exception;
}
