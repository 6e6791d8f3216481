/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Commands that reach the agent by files. */
@NullMarked
package dev.cistern.agent.control;

import org.jspecify.annotations.NullMarked;
