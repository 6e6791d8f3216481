/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Floor 1: the only place that touches raw memory.
 *
 * <p>Glossary: a <em>region</em> is a contiguous piece of memory, native or an array; a
 * <em>source</em> is what regions are drawn from and returned to, under a <em>limit</em> in bytes.
 */
@NullMarked
package dev.cistern.memory;

import org.jspecify.annotations.NullMarked;
