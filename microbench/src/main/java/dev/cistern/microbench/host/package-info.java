/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Buffer workloads of hosts on Netty, which run both bare and with the agent. */
@NullMarked
package dev.cistern.microbench.host;

import org.jspecify.annotations.NullMarked;
