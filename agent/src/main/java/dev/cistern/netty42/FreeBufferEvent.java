/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty42;

/** A buffer was released. */
public final class FreeBufferEvent extends AbstractBufferEvent {}
