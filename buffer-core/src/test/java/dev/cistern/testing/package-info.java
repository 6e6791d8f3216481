/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** What tests of several packages need: JVMs of their own, and garbage that was collected. */
@NullMarked
package dev.cistern.testing;

import org.jspecify.annotations.NullMarked;
