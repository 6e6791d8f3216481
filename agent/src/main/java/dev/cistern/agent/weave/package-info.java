/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Class files: discovers Netty's allocators, checks a copy, instruments it, and renames Cistern's
 * own classes.
 *
 * <ul>
 *   <li><b>discovered allocator</b>: an allocator class that was loaded, known by name only.
 *   <li><b>prefix</b>: the package above {@code buffer} and {@code util}: {@code io/netty}, or what
 *       a relocation made of it.
 *   <li><b>compatibility check</b>: verifies the classes and members that the bridge refers to.
 *   <li><b>prologue</b>: the few instructions added before an allocator's own.
 * </ul>
 */
@NullMarked
package dev.cistern.agent.weave;

import org.jspecify.annotations.NullMarked;
