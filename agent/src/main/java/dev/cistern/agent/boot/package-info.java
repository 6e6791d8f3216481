/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** All of the agent that the host application can see on its class path. */
@NullMarked
package dev.cistern.agent.boot;

import org.jspecify.annotations.NullMarked;
