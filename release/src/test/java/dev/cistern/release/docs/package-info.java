/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Tests of the documentation: wording, links, figures and charts. */
@NullMarked
package dev.cistern.release.docs;

import org.jspecify.annotations.NullMarked;
