/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * The detail of the stacks in a report. Code that only sums up by site avoids the cost of frames.
 */
public enum StackDetail {
  /** All frames as lines, also for the last accesses of leaks. */
  FRAMES,
  /** One stack for each site, without frames; only the number of the last accesses of leaks. */
  SITE
}
