/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Applications for the agent's tests. They refer only to Netty. */
package example.host;
