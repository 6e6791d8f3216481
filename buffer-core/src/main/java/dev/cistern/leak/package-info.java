/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Finds buffers that nobody released.
 *
 * <p>Glossary:
 *
 * <dl>
 *   <dt>sample
 *   <dd>an allocation that somebody chose to watch. This package never chooses: it watches what it
 *       is given, and each sample says for how many bytes it stands (its weight).
 *   <dt>tracker
 *   <dd>what watches one sample: a weak reference to the buffer and the stack of its allocation. It
 *       is closed when the buffer is released.
 *   <dt>lifetime
 *   <dd>the time from the allocation of a sample to its release; sums by band.
 *   <dt>allocation profile
 *   <dd>what each stack allocated since start, from some of the samples: those selected.
 *   <dt>leak
 *   <dd>a buffer that the garbage collector took while its tracker was still open.
 *   <dt>stack
 *   <dd>the frames of an allocation, innermost first, without Cistern's own at the top.
 *   <dt>site
 *   <dd>the frame of a stack that somebody can act on: the first one that is neither Netty's, the
 *       JDK's nor Cistern's, as {@code class.method:line}.
 *   <dt>entry
 *   <dd>all leaks with the same stack, counted.
 *   <dt>remainder
 *   <dd>the leaks of all sites that are not kept, counted by kind of memory.
 *   <dt>place
 *   <dd>the position of a site among those with the most leaked bytes, for readers that name a few.
 *   <dt>store
 *   <dd>a bounded set of sites and entries, and the remainder.
 * </dl>
 */
@NullMarked
package dev.cistern.leak;

import org.jspecify.annotations.NullMarked;
