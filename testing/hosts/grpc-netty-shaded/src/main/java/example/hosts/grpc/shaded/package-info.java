/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** A gRPC server on the shaded copy of Netty in gRPC. */
@NullMarked
package example.hosts.grpc.shaded;

import org.jspecify.annotations.NullMarked;
