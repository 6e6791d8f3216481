/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** An HTTP server on Reactor Netty. */
@NullMarked
package example.hosts.reactor;

import org.jspecify.annotations.NullMarked;
