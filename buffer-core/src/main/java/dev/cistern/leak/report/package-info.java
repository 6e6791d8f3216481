/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Layer 2: reports of leaks and of live buffers, in immutable records.
 *
 * <p>The classes refer to the JDK and to each other only, and no other package has access to more
 * than their public members. Under the agent, one class loader defines them for all copies of
 * Netty, and another one defines the rest of {@code dev.cistern.leak} for each copy.
 */
@NullMarked
package dev.cistern.leak.report;

import org.jspecify.annotations.NullMarked;
