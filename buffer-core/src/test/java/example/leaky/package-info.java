/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Stand-in for an application: a leak report must name frames of this package. */
@NullMarked
package example.leaky;

import org.jspecify.annotations.NullMarked;
