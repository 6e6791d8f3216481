/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Netty's ByteBuf over Cistern's pool, in a class loader below that of a copy of Netty.
 *
 * <p>Compiled against Netty 4.1, and renamed to the copy's own package prefix when it is loaded.
 * Each copy has its own loader, and so its own pools.
 *
 * <ul>
 *   <li><b>copy</b>: one Netty in the JVM: a class loader and a package prefix.
 *   <li><b>hook</b>: the class in Netty's package that the instrumented allocators call.
 *   <li><b>bridge buffer</b>: the ByteBuf that a host uses, bound to a slot of the pool.
 *   <li><b>move</b>: a buffer that grew beyond its slot, or shrank far below it, changes slots.
 *   <li><b>bridge</b>: the agent's access to these classes, by a shared interface.
 * </ul>
 */
@NullMarked
package dev.cistern.bridge;

import org.jspecify.annotations.NullMarked;
