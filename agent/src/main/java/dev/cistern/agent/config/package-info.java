/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The agent's settings.
 *
 * <ul>
 *   <li><b>setting</b>: a key with a type, a default and a meaning; one row of the table.
 *   <li><b>value type</b>: the values that a setting accepts.
 *   <li><b>source</b>: a place of settings; a stronger source wins, a bad value in any source is
 *       refused.
 * </ul>
 */
@NullMarked
package dev.cistern.agent.config;

import org.jspecify.annotations.NullMarked;
