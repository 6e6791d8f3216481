/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Annotation of a test for every kind of buffer that owns memory in one place, and can grow. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@EveryKind(
    without = {
      BufferKind.Trait.FIXED,
      BufferKind.Trait.SCATTERED,
      BufferKind.Trait.VIEW,
      BufferKind.Trait.WRAPPER
    })
@interface EveryRootKind {}
