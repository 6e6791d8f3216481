/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The example server on Netty's transport, with Netty's pool or Cistern's, for a comparison with
 * the library's example. The code that reads requests and writes responses is compiled from the
 * same sources, with Netty's buffers. This package contains only the code that differs.
 */
@NullMarked
package example.netty;

import org.jspecify.annotations.NullMarked;
