/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Annotation of a test for every kind of buffer that can change its capacity. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@EveryKind(without = BufferKind.Trait.FIXED)
@interface EveryGrowingKind {}
