/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** A job of Spark that shuffles. */
@NullMarked
package example.hosts.spark;

import org.jspecify.annotations.NullMarked;
