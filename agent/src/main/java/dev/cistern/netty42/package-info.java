/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Declarations of classes that {@code io.netty.buffer} has in Netty 4.2 and not in 4.1, for the
 * compiler. They are not in the agent's jar. The agent renames the references to the copy's own
 * classes, if that copy has all of them.
 */
@NullMarked
package dev.cistern.netty42;

import org.jspecify.annotations.NullMarked;
