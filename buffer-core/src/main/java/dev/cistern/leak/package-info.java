/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Leak detection: buffers that were garbage collected without a release.
 *
 * <p>Glossary:
 *
 * <dl>
 *   <dt>sample
 *   <dd>an allocation that the caller selected, with the bytes that it represents (its weight).
 *   <dt>tracker
 *   <dd>a weak reference to the buffer of a sample, and the stack of its allocation. The thread
 *       that releases the buffer closes it.
 *   <dt>lifetime
 *   <dd>the time from the allocation of a sample to its release; sums by band.
 *   <dt>allocation profile
 *   <dd>the allocations of each stack since start, from some of the samples.
 *   <dt>leak
 *   <dd>a buffer that the garbage collector took while its tracker was open.
 *   <dt>stack
 *   <dd>the frames of an allocation, innermost first, without Cistern's own at the top.
 *   <dt>site
 *   <dd>the frame of a stack that a developer can act on: the first one outside Netty, the JDK and
 *       Cistern, as {@code class.method:line}.
 *   <dt>entry
 *   <dd>all leaks with the same stack, counted.
 *   <dt>remainder
 *   <dd>the leaks of all sites that are not kept, counted by kind of memory.
 *   <dt>place
 *   <dd>the position of a site among those with the most leaked bytes, for readers that name only a
 *       few sites.
 *   <dt>store
 *   <dd>a bounded set of sites and entries, and the remainder.
 * </dl>
 */
@NullMarked
package dev.cistern.leak;

import org.jspecify.annotations.NullMarked;
