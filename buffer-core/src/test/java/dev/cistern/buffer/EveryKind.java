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

/** Annotation of a test for every kind of writable buffer, except for kinds with certain traits. */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Tag("contract")
@ParameterizedTest(name = "{0}")
@ArgumentsSource(ChosenKinds.class)
@ExtendWith(PoolCheck.class)
public @interface EveryKind {
  /** Traits that exclude a kind. */
  BufferKind.Trait[] without() default {};

  /** Traits that a kind must have. */
  BufferKind.Trait[] with() default {};

  /** Whether read-only kinds take part, which requires a test that does not write. */
  boolean readsOnly() default false;
}
