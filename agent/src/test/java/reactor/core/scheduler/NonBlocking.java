/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package reactor.core.scheduler;

/** A stand-in for the interface by which Reactor marks threads that must not block. */
public interface NonBlocking {}
