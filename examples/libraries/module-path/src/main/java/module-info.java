/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** A module that depends on Cistern, as a user of the library writes it. */
module example.library {
  requires dev.cistern.buffer;
}
