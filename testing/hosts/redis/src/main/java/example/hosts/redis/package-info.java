/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Two clients of a Redis server. */
@NullMarked
package example.hosts.redis;

import org.jspecify.annotations.NullMarked;
