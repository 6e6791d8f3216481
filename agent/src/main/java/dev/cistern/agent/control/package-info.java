/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Commands that the agent reads from files. */
@NullMarked
package dev.cistern.agent.control;

import org.jspecify.annotations.NullMarked;
