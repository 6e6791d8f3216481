/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The command line: {@code attach}, {@code list} and {@code mode}, from outside the JVM that is
 * meant. It runs in a JVM of its own, and is never loaded into a host.
 */
@NullMarked
package dev.cistern.agent.command;

import org.jspecify.annotations.NullMarked;
