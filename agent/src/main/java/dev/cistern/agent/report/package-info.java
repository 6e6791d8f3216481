/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Reports on the copies of Netty, and the services that publish them. */
@NullMarked
package dev.cistern.agent.report;

import org.jspecify.annotations.NullMarked;
