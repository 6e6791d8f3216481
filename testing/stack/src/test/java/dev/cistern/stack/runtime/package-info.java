/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** The runtime that jlink creates for the sidecar, and processes that replace containers. */
package dev.cistern.stack.runtime;
