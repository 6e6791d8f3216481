/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** The agent proper, as the isolated loader sees it: its start and its voice. */
@NullMarked
package dev.cistern.agent;

import org.jspecify.annotations.NullMarked;
