/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

/**
 * The statistics of a subpage at one moment.
 *
 * @param slotBytes size of a slot in bytes
 * @param slots number of slots
 * @param freeSlots number of free slots; approximate while other threads use the subpage
 * @param runBytes size of the run that contains the slots, in bytes
 */
public record SubpageStats(int slotBytes, int slots, int freeSlots, int runBytes) {}
