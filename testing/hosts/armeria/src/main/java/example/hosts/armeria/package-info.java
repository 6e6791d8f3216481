/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** An HTTP server on Armeria. */
@NullMarked
package example.hosts.armeria;

import org.jspecify.annotations.NullMarked;
