/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Applications that use the allocator. */
@NullMarked
package example.netty;

import org.jspecify.annotations.NullMarked;
