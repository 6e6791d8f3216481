/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The copies of Netty in this JVM. {@code NettyCopyManager} is the agent's thread and keeps their
 * list; {@code NettyCopyMachine} moves each to its mode by the transitions in {@code Transition};
 * {@code NettyCopyActivator} runs their steps in the JVM.
 */
@NullMarked
package dev.cistern.agent.netty;

import org.jspecify.annotations.NullMarked;
