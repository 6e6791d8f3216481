/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Code that the tests of several modules share. It depends on no product module. */
@NullMarked
package dev.cistern.testing;

import org.jspecify.annotations.NullMarked;
