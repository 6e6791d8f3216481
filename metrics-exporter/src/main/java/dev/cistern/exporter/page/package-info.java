/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** The pages of the endpoint. */
@NullMarked
package dev.cistern.exporter.page;

import org.jspecify.annotations.NullMarked;
