/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** The HTTP client of the AWS SDK. */
@NullMarked
package example.hosts.aws;

import org.jspecify.annotations.NullMarked;
