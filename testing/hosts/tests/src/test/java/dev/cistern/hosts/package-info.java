/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Hosts that run bare and with the agent. */
package dev.cistern.hosts;
