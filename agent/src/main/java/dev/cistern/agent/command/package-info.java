/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The commands of {@code bin/cistern} that look at running JVMs. They run in a JVM of their own,
 * and are never loaded into a host.
 */
@NullMarked
package dev.cistern.agent.command;

import org.jspecify.annotations.NullMarked;
