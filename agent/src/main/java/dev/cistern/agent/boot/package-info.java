/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * All of the agent that the application's class path shows: the JVM's entry points and the loader
 * of the rest.
 */
@NullMarked
package dev.cistern.agent.boot;

import org.jspecify.annotations.NullMarked;
