/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/** How much a report tells of its stacks: whoever only sums up by site need not pay for lines. */
public enum StackDetail {
  /** All frames as lines, and the last uses of leaks with theirs. */
  FRAMES,
  /** Stacks of the same site as one, without frames; of last uses only how many there are. */
  SITE
}
