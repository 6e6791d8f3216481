/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** A gateway with a filter that loses buffers. */
@NullMarked
package example.hosts.gateway;

import org.jspecify.annotations.NullMarked;
