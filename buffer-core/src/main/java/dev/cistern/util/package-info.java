/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Floor 0: helpers that know nothing of buffers or pools. */
@NullMarked
package dev.cistern.util;

import org.jspecify.annotations.NullMarked;
