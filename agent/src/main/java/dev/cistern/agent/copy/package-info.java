/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The copies of Netty in this JVM, and the way of each from found to live.
 *
 * <ul>
 *   <li><b>copy</b>: a loader and a package prefix; it has its own pool.
 *   <li><b>hook</b>: the one class defined in the copy's own package.
 *   <li><b>bridge</b>: our buffers and engine, in a loader below the copy's.
 *   <li><b>keeper</b>: the agent's one thread.
 *   <li><b>inventory</b>: all copies with version, state and reason.
 * </ul>
 */
@NullMarked
package dev.cistern.agent.copy;

import org.jspecify.annotations.NullMarked;
