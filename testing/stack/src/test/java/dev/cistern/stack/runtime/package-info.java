/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** The runtime that jlink makes for the sidecar, and processes that stand for containers. */
package dev.cistern.stack.runtime;
