/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** The entry point of the agent inside its isolated class loader. */
@NullMarked
package dev.cistern.agent;

import org.jspecify.annotations.NullMarked;
