/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import java.io.File;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the settings from their sources, strongest first: agent arguments, system properties,
 * environment variables, YAML file.
 *
 * <p>A bad setting ends the reading and disables the agent, because a part of the settings is not
 * what the operator intended. A bad diagnostic setting is ignored instead, with a warning.
 */
public final class ConfigReader {
  private final Properties properties;
  private final Map<String, String> environment;
  private final Map<Setting, String> values = new EnumMap<>(Setting.class);

  /** Settings with a bad value in one source: weaker sources are ignored. */
  private final Set<Setting> refused = EnumSet.noneOf(Setting.class);

  private final List<String> warnings = new ArrayList<>();

  /** Creates a reader of the system properties and environment variables of this JVM. */
  public ConfigReader() {
    this(System.getProperties(), System.getenv());
  }

  ConfigReader(Properties properties, Map<String, String> environment) {
    this.properties = properties;
    this.environment = environment;
  }

  /**
   * Reads all sources.
   *
   * @param arguments the text after the {@code =} of {@code -javaagent}, or null
   * @throws BadSettingException if a setting other than a diagnostic one is bad
   */
  public AgentConfig read(@Nullable String arguments) throws BadSettingException {
    offerAll("agent argument", parse(arguments));
    for (Setting setting : Setting.values()) {
      String property = setting.property();
      offer("system property " + property, setting, properties.getProperty(property));
    }
    for (Setting setting : Setting.values()) {
      String variable = setting.environment();
      offer("environment variable " + variable, setting, environment.get(variable));
    }
    String file = values.get(Setting.CONFIG);
    if (file != null && !file.equals("none")) {
      offerAll(file + ": key", YamlSettings.read(new File(file)));
    }
    return new AgentConfig(values, warnings);
  }

  /** Splits agent arguments into keys and values. */
  static Map<String, String> parse(@Nullable String arguments) throws BadSettingException {
    Map<String, String> values = new LinkedHashMap<>();
    for (String argument : (arguments == null ? "" : arguments).split(",", -1)) {
      int equals = argument.indexOf('=');
      if (equals < 0 && !argument.isBlank()) {
        throw new BadSettingException("agent argument " + argument.trim(), "no value", "key=value");
      }
      if (equals >= 0) {
        String key = argument.substring(0, equals).trim();
        if (values.put(key, argument.substring(equals + 1).trim()) != null) {
          throw new BadSettingException("agent argument " + key, "given twice", "once");
        }
      }
    }
    return values;
  }

  private void offerAll(String source, Map<String, String> given) throws BadSettingException {
    boolean isFile = values.containsKey(Setting.CONFIG); // a file cannot name another one
    for (Map.Entry<String, String> entry : given.entrySet()) {
      String key = entry.getKey();
      String name = source + ' ' + key;
      Setting setting = Setting.byKey(key);
      if (setting == null || (isFile && setting == Setting.CONFIG)) {
        throw new BadSettingException(name, "unknown name", Setting.keys());
      }
      offer(name, setting, entry.getValue());
    }
  }

  /** Takes a value unless a stronger source has one; a bad value is refused in any case. */
  private void offer(String name, Setting setting, @Nullable String value)
      throws BadSettingException {
    if (value == null) {
      return;
    }
    try {
      setting.check(name, value);
      if (!refused.contains(setting)) {
        values.putIfAbsent(setting, value);
      }
    } catch (BadSettingException bad) {
      if (!setting.isDiagnostic()) {
        throw bad;
      }
      refused.add(setting);
      String stronger = values.get(setting);
      warnings.add(
          bad.getMessage()
              + (stronger == null
                  ? "; using the default: " + setting.defaultText()
                  : "; using '" + stronger + "' from a stronger source"));
    }
  }
}
