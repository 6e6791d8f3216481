/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The example server once more, on Netty's transport, with Netty's pool or Cistern's: what the
 * library's example is compared with. The reading of requests and the answers are the same sources,
 * built against Netty's buffers; here is only what is otherwise.
 */
@NullMarked
package example.netty;

import org.jspecify.annotations.NullMarked;
