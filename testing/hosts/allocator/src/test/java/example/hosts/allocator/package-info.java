/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Frameworks whose channels use {@code CisternAllocator}. */
@NullMarked
package example.hosts.allocator;

import org.jspecify.annotations.NullMarked;
