/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** What hosts on Netty do with their buffers, to be run bare and with the agent. */
@NullMarked
package dev.cistern.microbench.host;

import org.jspecify.annotations.NullMarked;
