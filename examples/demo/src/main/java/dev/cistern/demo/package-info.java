/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Demonstrates Cistern: starts the application of {@code example.app} with the agent in a separate
 * JVM, sends load to it over the loopback interface, and reports the values of {@code /metrics}.
 *
 * <ul>
 *   <li><b>load plan</b>: the bounds of a load: connections, time, requests, rate.
 *   <li><b>exposition</b>: the parsed text of {@code /metrics}.
 *   <li><b>verdict</b>: whether the pool served the server's allocations, and if not, why.
 * </ul>
 */
@NullMarked
package dev.cistern.demo;

import org.jspecify.annotations.NullMarked;
