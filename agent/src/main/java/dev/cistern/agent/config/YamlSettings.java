/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads the flat mapping of a configuration file. This class is loaded only for such a file. */
final class YamlSettings {
  private YamlSettings() {}

  static Map<String, String> read(File file) throws BadSettingException {
    Object content;
    try (Reader reader = Files.newBufferedReader(file.toPath(), StandardCharsets.UTF_8)) {
      content = new Load(LoadSettings.builder().build()).loadFromReader(reader);
    } catch (IOException | YamlEngineException unreadable) {
      throw new BadSettingException(
          "config", "'" + file + "' cannot be read: " + firstLine(unreadable), "YAML");
    }
    Map<String, String> settings = new LinkedHashMap<>();
    if (content == null) {
      return settings;
    }
    if (!(content instanceof Map<?, ?> mapping)) {
      throw new BadSettingException(
          "config", "'" + file + "' has no settings", "lines of key: value");
    }
    for (Map.Entry<?, ?> entry : mapping.entrySet()) {
      Object value = entry.getValue();
      if (value == null || value instanceof Map || value instanceof List) {
        throw new BadSettingException(
            file + ": key " + entry.getKey(), "no single value", "key: value");
      }
      settings.put(String.valueOf(entry.getKey()), String.valueOf(value));
    }
    return settings;
  }

  private static String firstLine(Exception failure) {
    String message = String.valueOf(failure.getMessage()).strip();
    return failure.getClass().getSimpleName() + ": " + message.split("\n", 2)[0];
  }
}
