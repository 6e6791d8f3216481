/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** What the agent tells about its copies of Netty, and where. */
@NullMarked
package dev.cistern.agent.report;

import org.jspecify.annotations.NullMarked;
