/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Cistern's pool as an allocator of Netty, for applications that do not use the agent.
 *
 * <pre>{@code
 * bootstrap.childOption(ChannelOption.ALLOCATOR, CisternAllocator.DEFAULT);
 * }</pre>
 */
@NullMarked
package dev.cistern.netty;

import org.jspecify.annotations.NullMarked;
