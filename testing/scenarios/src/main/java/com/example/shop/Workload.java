/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package com.example.shop;

/** One use of memory, which runs until the process ends. */
@FunctionalInterface
public interface Workload {
  /** Runs in the main thread of the shop, and may return while its threads continue. */
  void run(Shop shop) throws Exception;
}
