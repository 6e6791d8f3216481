/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * What Netty 4.2 has in {@code io.netty.buffer} and 4.1 has not, by names and types only: to
 * compile against. None of it is in the agent's jar; the agent renames these references to the
 * copy's own classes, and does so only where that copy has them all.
 */
@NullMarked
package dev.cistern.netty42;

import org.jspecify.annotations.NullMarked;
