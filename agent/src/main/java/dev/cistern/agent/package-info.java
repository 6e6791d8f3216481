/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** The part of the agent that its isolated loader loads. */
@NullMarked
package dev.cistern.agent;

import org.jspecify.annotations.NullMarked;
