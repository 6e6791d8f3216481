/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Internal helpers of Cistern's modules. They are no API, and can change in any version.
 *
 * <p>A <b>setting</b> is a value of the process, given by the system property {@code
 * cistern.<key>}.
 */
@NullMarked
package dev.cistern.util.internal;

import org.jspecify.annotations.NullMarked;
