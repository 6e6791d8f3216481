/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The agent's settings.
 *
 * <ul>
 *   <li><b>setting</b>: a key with a default, a form and a meaning; one row of the table.
 *   <li><b>form</b>: what values a setting takes.
 *   <li><b>source</b>: where a value came from; a stronger source wins, a bad value in any is
 *       refused.
 * </ul>
 */
@NullMarked
package dev.cistern.agent.config;

import org.jspecify.annotations.NullMarked;
