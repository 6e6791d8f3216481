/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** A keyed job of Flink. */
@NullMarked
package example.hosts.flink;

import org.jspecify.annotations.NullMarked;
