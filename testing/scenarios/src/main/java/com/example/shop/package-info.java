/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * An online shop whose parts use memory in good and in bad ways. Its package differs from
 * Cistern's, because the agent's reports leave out frames of Cistern.
 */
@NullMarked
package com.example.shop;

import org.jspecify.annotations.NullMarked;
