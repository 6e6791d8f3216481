/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The allocator under test; {@link Bench} varies its parameter. */
@State(Scope.Benchmark)
public class Allocator {
  /** The allocator with its settings. */
  @Param("LIBRARY")
  public Variant variant;

  Subject subject;

  /** Creates the subject. */
  @Setup
  public void setUp() {
    subject = variant.subject();
  }
}
