/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The types that the agent and its bridges share. The agent's class loader defines them, and each
 * bridge loader delegates to it. A bridge hands out only objects of these types, of the report
 * packages, and of the JDK.
 */
@NullMarked
package dev.cistern.bridge.api;

import org.jspecify.annotations.NullMarked;
