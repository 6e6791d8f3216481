/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Scenarios with a known cause, and the runner that compares the agent's verdict with it. */
@NullMarked
package dev.cistern.scenarios;

import org.jspecify.annotations.NullMarked;
