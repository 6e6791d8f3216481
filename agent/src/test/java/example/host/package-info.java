/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Applications for the agent's tests: they know Netty only. */
package example.host;
