/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Class files: finding Netty's allocators, checking a copy, weaving it, renaming our own classes.
 *
 * <ul>
 *   <li><b>sighting</b>: an allocator class that was loaded, known by name only.
 *   <li><b>prefix</b>: the package above {@code buffer} and {@code util}: {@code io/netty}, or what
 *       a relocation made of it.
 *   <li><b>structure</b>: the classes and members of a copy that the bridge stands on.
 *   <li><b>prologue</b>: the few instructions woven before an allocator's own.
 * </ul>
 */
@NullMarked
package dev.cistern.agent.weave;

import org.jspecify.annotations.NullMarked;
