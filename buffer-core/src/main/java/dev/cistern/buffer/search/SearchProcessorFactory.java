/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer.search;

/** What is known of a needle, for any number of searches. */
public interface SearchProcessorFactory {
  /** A search that has seen nothing yet. */
  SearchProcessor newSearchProcessor();
}
