/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

/**
 * A subpage at one moment.
 *
 * @param slotBytes size of a slot
 * @param slots how many it has
 * @param freeSlots how many of them are free; approximate while other threads use the subpage
 * @param runBytes size of the run that holds the slots
 */
public record SubpageFigures(int slotBytes, int slots, int freeSlots, int runBytes) {}
