/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Measures the memory of this process: mappings, pages, beans of the JVM, container. */
@NullMarked
package dev.cistern.exporter.process;

import org.jspecify.annotations.NullMarked;
