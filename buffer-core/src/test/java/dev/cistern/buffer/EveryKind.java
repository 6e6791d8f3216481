/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** A test for every kind of buffer that can be written to, but for those with certain traits. */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Tag("contract")
@ParameterizedTest(name = "{0}")
@ArgumentsSource(ChosenKinds.class)
@ExtendWith(PoolCheck.class)
public @interface EveryKind {
  /** Kinds with one of these are left out. */
  BufferKind.Trait[] without() default {};

  /** Kinds without one of these are left out. */
  BufferKind.Trait[] with() default {};

  /** Whether read-only kinds take part: of a test that does not write. */
  boolean readsOnly() default false;
}
