/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import dev.cistern.exporter.yaml.YamlException;
import dev.cistern.exporter.yaml.YamlFile;
import java.io.File;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the flat mapping of a configuration file. This class is loaded only for such a file. */
final class YamlSettings {
  private YamlSettings() {}

  static Map<String, String> read(File file) throws BadSettingException {
    Object content = content(file);
    Map<String, String> settings = new LinkedHashMap<>();
    if (content == null) {
      return settings;
    }
    if (!(content instanceof Map<?, ?> mapping)) {
      throw new BadSettingException(
          "config", "'" + file + "' has no settings", "lines of key: value");
    }
    for (Map.Entry<?, ?> entry : mapping.entrySet()) {
      String key = String.valueOf(entry.getKey());
      String shown = YamlFile.shown(key);
      String name = file + ": key " + shown;
      if (!shown.equals(key)) {
        throw new BadSettingException(name, "unknown name", Setting.keys());
      }
      Object value = entry.getValue();
      if (value == null || value instanceof Map || value instanceof Collection) {
        throw new BadSettingException(name, "no single value", "key: value");
      }
      settings.put(key, String.valueOf(value));
    }
    return settings;
  }

  private static @Nullable Object content(File file) throws BadSettingException {
    try {
      return YamlFile.read(file.toPath());
    } catch (YamlException invalid) {
      throw new BadSettingException(
          "config", "'" + file + "' is not YAML: " + invalid.getMessage(), "lines of key: value");
    } catch (IOException unreadable) {
      String kind = unreadable.getClass().getSimpleName();
      throw new BadSettingException(
          "config",
          "'" + file + "' cannot be read: " + kind + ": " + unreadable.getMessage(),
          Setting.CONFIG.expected());
    }
  }
}
