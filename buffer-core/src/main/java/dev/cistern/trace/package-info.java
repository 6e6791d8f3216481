/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Notes where something was used, as cheaply as can be. The cellar of the house: it knows nothing
 * of anything, and both the leak detector for any resource ({@code util}) and that of buffers
 * ({@code leak}) stand on it.
 */
@NullMarked
package dev.cistern.trace;

import org.jspecify.annotations.NullMarked;
