/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import java.io.File;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the settings, strongest first: agent arguments, system properties, environment, YAML
 * file.
 *
 * <p>A setting that cannot be followed ends the reading: the agent then stands aside, because half
 * a configuration is not what anybody asked for. Not so a setting of the diagnostics, for which the
 * default is kept.
 */
public final class ConfigReader {
  private final Function<String, @Nullable String> properties;
  private final Function<String, @Nullable String> environment;
  private final Map<Setting, String> values = new EnumMap<>(Setting.class);

  /** Settings of which some source gave a bad value: no weaker one is asked. */
  private final Set<Setting> refused = EnumSet.noneOf(Setting.class);

  private final List<String> complaints = new ArrayList<>();

  /** Reads properties and environment of this JVM. */
  public ConfigReader() {
    this(
        new Function<>() { // no lambda: the first one of a JVM costs it milliseconds
          @Override
          public @Nullable String apply(String name) {
            return System.getProperty(name);
          }
        },
        new Function<>() {
          @Override
          public @Nullable String apply(String name) {
            return System.getenv(name);
          }
        });
  }

  ConfigReader(
      Function<String, @Nullable String> properties,
      Function<String, @Nullable String> environment) {
    this.properties = properties;
    this.environment = environment;
  }

  /**
   * Reads all sources.
   *
   * @param arguments what follows the {@code =} of {@code -javaagent}, or null
   * @throws BadSettingException if any setting cannot be followed
   */
  public AgentConfig read(@Nullable String arguments) throws BadSettingException {
    if (arguments != null) {
      readArguments(arguments);
    }
    for (Setting setting : Setting.values()) {
      offer("property", setting.property(), setting, properties.apply(setting.property()));
    }
    for (Setting setting : Setting.values()) {
      offer(
          "environment variable",
          setting.environment(),
          setting,
          environment.apply(setting.environment()));
    }
    String file = values.get(Setting.CONFIG);
    if (file != null && !file.equals("none")) {
      readFile(new File(file));
    }
    return new AgentConfig(values, complaints);
  }

  private void readArguments(String arguments) throws BadSettingException {
    for (String argument : Lists.split(arguments, ',')) {
      readArgument(argument);
    }
  }

  private void readArgument(String argument) throws BadSettingException {
    if (argument.isEmpty()) {
      return;
    }
    int equals = argument.indexOf('=');
    if (equals < 0) {
      throw new BadSettingException(
          "agent argument '" + argument + "' is not of the form key=value");
    }
    String key = argument.substring(0, equals).trim();
    Setting setting = Setting.byKey(key);
    if (setting == null) {
      throw unknown("agent argument", key, argument.substring(equals + 1));
    }
    if (values.containsKey(setting)) {
      throw new BadSettingException("agent argument '" + key + "' is given twice");
    }
    offer("agent argument", key, setting, argument.substring(equals + 1).trim());
  }

  private void readFile(File file) throws BadSettingException {
    Map<String, String> content = YamlSettings.read(file);
    for (Map.Entry<String, String> entry : content.entrySet()) {
      Setting setting = Setting.byKey(entry.getKey());
      if (setting == null || setting == Setting.CONFIG) {
        throw unknown(file + ": key", entry.getKey(), entry.getValue());
      }
      offer(file + ": key", entry.getKey(), setting, entry.getValue());
    }
  }

  private static BadSettingException unknown(String source, String key, String value) {
    return new BadSettingException(
        source + " '" + key + "' = '" + value + "' is unknown; allowed: " + Setting.keys());
  }

  /** Takes a value, checked even when a stronger source has spoken. */
  private void offer(String source, String name, Setting setting, @Nullable String value)
      throws BadSettingException {
    if (value == null) {
      return;
    }
    if (setting.accepts(value)) {
      if (!refused.contains(setting)) {
        values.putIfAbsent(setting, value);
      }
      return;
    }
    String complaint =
        source + " '" + name + "' = '" + value + "' is malformed; allowed: " + setting.allowed();
    if (!setting.isOfDiagnostics()) {
      throw new BadSettingException(complaint);
    }
    refused.add(setting);
    String kept = values.get(setting);
    complaints.add(
        complaint
            + (kept == null
                ? "; the default, " + setting.defaultText() + ", is kept"
                : "; '" + kept + "', which is stronger, is kept"));
  }
}
