/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** A message broker and its client. */
@NullMarked
package example.hosts.artemis;

import org.jspecify.annotations.NullMarked;
