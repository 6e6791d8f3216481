/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Stands for an application: frames of this package are what a leak report must point at. */
@NullMarked
package example.leaky;

import org.jspecify.annotations.NullMarked;
