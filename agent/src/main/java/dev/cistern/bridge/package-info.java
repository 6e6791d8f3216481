/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * What runs below a host's copy of Netty: its ByteBuf over our pool.
 *
 * <p>Compiled against Netty 4.1 and renamed to the copy's own package prefix when it is loaded; one
 * loader, and so one pool, for each copy.
 *
 * <ul>
 *   <li><b>copy</b>: one Netty in the JVM: a class loader and a package prefix.
 *   <li><b>hook</b>: the class in Netty's package that the woven allocators call.
 *   <li><b>bridge buffer</b>: the ByteBuf that a host gets, bound to a slot of the pool.
 *   <li><b>move</b>: a buffer that outgrew its slot, or shrank far below it, changes slots.
 *   <li><b>bridge</b>: the agent's access to all this, by a shared interface.
 * </ul>
 */
@NullMarked
package dev.cistern.bridge;

import org.jspecify.annotations.NullMarked;
