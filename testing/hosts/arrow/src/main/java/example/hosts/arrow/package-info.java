/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Buffers of Apache Arrow, whose memory is Netty's. */
@NullMarked
package example.hosts.arrow;

import org.jspecify.annotations.NullMarked;
