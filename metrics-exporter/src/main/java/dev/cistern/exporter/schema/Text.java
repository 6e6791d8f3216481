/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.schema;

import java.util.function.Function;

/**
 * Declaration of a text, such as the version of a copy of Netty.
 *
 * @param index its position in a row
 * @param number its number in the stats file, which no other text of its scope may have
 * @param key its name in JSON, and as a label
 * @param help its meaning
 * @param reader returns its value
 * @param <T> type of the object that it is read from
 */
public record Text<T>(int index, int number, String key, String help, Function<T, String> reader) {}
