/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The pools of one copy of Netty: its {@code ByteBuf} over the engine. The allocator of this module
 * and the agent use the same classes.
 *
 * <p>For the agent, they are compiled against Netty 4.1 and renamed to the copy's own package
 * prefix when they are loaded. Each copy has its own loader, and so its own pair of pools.
 *
 * <ul>
 *   <li><b>copy</b>: one Netty in the JVM: a class loader and a package prefix.
 *   <li><b>buffer</b>: the ByteBuf that an application gets, bound to a slot of the pool.
 *   <li><b>move</b>: a buffer that outgrew its slot, or shrank far below it, changes slots.
 *   <li><b>backend</b>: allocates native memory that counts as Netty's own chunks do.
 *   <li><b>hooks</b>: the extensions of the program that uses the pools: the agent, or this module.
 * </ul>
 */
@NullMarked
package dev.cistern.netty.pool;

import org.jspecify.annotations.NullMarked;
