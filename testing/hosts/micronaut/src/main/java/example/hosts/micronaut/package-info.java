/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** An HTTP server on Micronaut. */
@NullMarked
package example.hosts.micronaut;

import org.jspecify.annotations.NullMarked;
