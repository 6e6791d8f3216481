/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Records of the accesses to an object, at low cost. This is the lowest layer: it depends on no
 * other package. The leak detectors for any resource ({@code util}) and for buffers ({@code leak})
 * use it.
 */
@NullMarked
package dev.cistern.trace;

import org.jspecify.annotations.NullMarked;
