/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Reports as text and JSON, and the verdict. */
@NullMarked
package dev.cistern.exporter.view;

import org.jspecify.annotations.NullMarked;
