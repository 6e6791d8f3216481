/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** What is defined below each copy of Netty: the buffer that Netty sees, over the pool. */
@NullMarked
package dev.cistern.bridge;

import org.jspecify.annotations.NullMarked;
