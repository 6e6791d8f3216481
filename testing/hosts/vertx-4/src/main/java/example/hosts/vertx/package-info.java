/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** An HTTP and a TCP server on Vert.x. */
@NullMarked
package example.hosts.vertx;

import org.jspecify.annotations.NullMarked;
