/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer.search;

/** What is known of several needles, for any number of searches. */
public interface MultiSearchProcessorFactory extends SearchProcessorFactory {
  @Override
  MultiSearchProcessor newSearchProcessor();
}
