/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** The agent's lines on standard error. */
@NullMarked
package dev.cistern.agent.log;

import org.jspecify.annotations.NullMarked;
