/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The agent's only classes on the application's class path: the entry points for the JVM, and the
 * loader of the other classes.
 */
@NullMarked
package dev.cistern.agent.boot;

import org.jspecify.annotations.NullMarked;
