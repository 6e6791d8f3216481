/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** The images of {@code docker/images}, as Docker runs them. */
package dev.cistern.stack.containers;
