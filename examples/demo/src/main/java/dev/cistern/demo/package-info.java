/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Shows Cistern at work: starts the application of {@code example.app} in its own JVM with the
 * agent, drives load at it over loopback, and reports what {@code /metrics} says.
 *
 * <ul>
 *   <li><b>load plan</b>: the bounds of a load: connections, time, requests, rate.
 *   <li><b>exposition</b>: the text that {@code /metrics} answers, parsed.
 *   <li><b>verdict</b>: whether the pool served the server's allocations, and if not, why.
 * </ul>
 */
@NullMarked
package dev.cistern.demo;

import org.jspecify.annotations.NullMarked;
