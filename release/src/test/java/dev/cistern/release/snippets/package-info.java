/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Compiles the Java blocks of the documentation. */
@NullMarked
package dev.cistern.release.snippets;

import org.jspecify.annotations.NullMarked;
