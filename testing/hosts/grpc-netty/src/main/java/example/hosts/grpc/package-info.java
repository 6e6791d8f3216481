/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** A gRPC server and its client. */
@NullMarked
package example.hosts.grpc;

import org.jspecify.annotations.NullMarked;
