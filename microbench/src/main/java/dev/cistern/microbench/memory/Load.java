/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

/** A scenario that is ready to run: everything that it needs on the heap is allocated. */
interface Load {
  void run() throws Exception;
}
