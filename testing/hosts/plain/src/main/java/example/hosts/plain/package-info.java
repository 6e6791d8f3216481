/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** An HTTP server on Netty alone. */
@NullMarked
package example.hosts.plain;

import org.jspecify.annotations.NullMarked;
