/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** What someone writes who builds on Cistern. */
module example.library {
  requires dev.cistern.buffer;
}
