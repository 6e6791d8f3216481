/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** A gateway with filters that leak buffers. */
@NullMarked
package example.hosts.gateway;

import org.jspecify.annotations.NullMarked;
