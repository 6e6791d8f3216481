/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer.search;

/** A factory of any number of searches for several needles. */
public interface MultiSearchProcessorFactory extends SearchProcessorFactory {
  @Override
  MultiSearchProcessor newSearchProcessor();
}
