/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Buffers of the allocator of BookKeeper. */
@NullMarked
package example.hosts.bookkeeper;

import org.jspecify.annotations.NullMarked;
