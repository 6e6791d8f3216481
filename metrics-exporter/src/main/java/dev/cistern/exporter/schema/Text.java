/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.schema;

import java.util.function.Function;

/**
 * A text of a thing, such as the version of a copy of Netty.
 *
 * @param index its place in a row
 * @param number its number in the stats file, which no other text of its scope ever has
 * @param key its name in JSON, and as a label
 * @param help its meaning
 * @param reader how it is read
 * @param <T> what it is read from
 */
public record Text<T>(int index, int number, String key, String help, Function<T, String> reader) {}
