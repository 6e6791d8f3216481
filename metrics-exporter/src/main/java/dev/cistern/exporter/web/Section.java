/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import dev.cistern.exporter.yaml.YamlFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A mapping in the file. Its values are read by key, and {@link #end} refuses keys that were not
 * read.
 */
final class Section {
  private final String file;
  private final String path;
  private final Map<String, Object> values = new LinkedHashMap<>();
  private final List<String> known = new ArrayList<>();

  /**
   * Creates a section.
   *
   * @param file the file's name, for messages
   * @param path the keys that lead to this section, each followed by a dot
   * @throws WebConfigException if {@code values} is not a mapping, or is missing
   */
  Section(String file, String path, @Nullable Object values) throws WebConfigException {
    this.file = file;
    this.path = path;
    if (!(values instanceof Map<?, ?> mapping)) {
      String name = path.isEmpty() ? "the file" : path.substring(0, path.length() - 1);
      String what = values == null ? " is empty" : " is not a mapping";
      throw new WebConfigException(file + ": " + name + what + "; allowed: key: value");
    }
    mapping.forEach((key, value) -> this.values.put(String.valueOf(key), value));
  }

  /** Returns the file's name, for messages. */
  String file() {
    return file;
  }

  /** Returns the value of a key as text; null if the key is missing, or its value is empty. */
  @Nullable String text(String key) throws WebConfigException {
    Object value = take(key);
    if (value instanceof Map || value instanceof List) {
      throw noPlainValue(key, "text");
    }
    return value == null || value.toString().isEmpty() ? null : value.toString();
  }

  /** Returns the value of a key that is true or false. */
  boolean flag(String key, boolean ifAbsent) throws WebConfigException {
    Object value = take(key);
    if (value == null) {
      return ifAbsent;
    }
    if (value instanceof Boolean flag) {
      return flag;
    }
    if (value instanceof Map || value instanceof List) {
      throw noPlainValue(key, "true or false");
    }
    throw bad(key, value, "true or false");
  }

  /** Returns the texts of a list; empty if the key is missing. */
  List<String> texts(String key) throws WebConfigException {
    Object value = take(key);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> list)
        || list.stream().anyMatch(each -> each instanceof Map || each instanceof List)) {
      throw badSecret(key, "is no list of texts", "a list");
    }
    return list.stream().map(String::valueOf).toList();
  }

  /** Returns the mapping below a key; an empty one if the key is missing. */
  Section section(String key) throws WebConfigException {
    Object below = take(key);
    return new Section(file, path + key + ".", has(key) ? below : Map.of());
  }

  /** Returns whether the key exists. */
  boolean has(String key) {
    return values.containsKey(key);
  }

  /** Returns all keys and values as texts. */
  Map<String, String> all() throws WebConfigException {
    Map<String, String> all = new LinkedHashMap<>();
    for (String key : List.copyOf(values.keySet())) {
      String text = text(key);
      all.put(key, text == null ? "" : text);
    }
    return all;
  }

  /**
   * Refuses keys that were not read.
   *
   * @throws WebConfigException if there is such a key
   */
  void end() throws WebConfigException {
    for (String key : values.keySet()) {
      if (!known.contains(key)) {
        throw new WebConfigException(at(key) + " is unknown; allowed: " + String.join(", ", known));
      }
    }
  }

  /** Returns an error that quotes the value of a key. */
  WebConfigException bad(String key, Object value, String allowed) {
    return new WebConfigException(at(key) + " = '" + value + "'; allowed: " + allowed);
  }

  /** Returns an error for a secret value, without the value. */
  WebConfigException badSecret(String key, String reason, String allowed) {
    return new WebConfigException(at(key) + " " + reason + "; allowed: " + allowed);
  }

  /** Returns an error for a key without a plain value. The content may be secret. */
  private WebConfigException noPlainValue(String key, String allowed) {
    return badSecret(key, "has no plain value", YamlFile.shown(key) + ": " + allowed);
  }

  private String at(String key) {
    return file + ": " + path + YamlFile.shown(key);
  }

  /**
   * Returns the value of a key. Refuses a key without a value, which can be the end of a truncated
   * file.
   */
  private @Nullable Object take(String key) throws WebConfigException {
    known.add(key);
    Object value = values.get(key);
    if (value == null && has(key)) {
      throw new WebConfigException(at(key) + " is empty; allowed: a value, or not the key");
    }
    return value;
  }
}
