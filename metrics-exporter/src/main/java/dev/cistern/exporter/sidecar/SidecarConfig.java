/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import dev.cistern.exporter.Detail;
import dev.cistern.exporter.ExporterOptions;
import dev.cistern.exporter.otlp.OtlpOptions;
import dev.cistern.exporter.statsfile.OwnDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** The sidecar's settings: options before environment variables before the YAML file. */
final class SidecarConfig {
  private static final long KILO = 1 << 10;
  private static final Pattern COMMA = Pattern.compile(",");

  /** Former keys of settings. */
  private static final Map<String, SidecarSetting> FORMER_KEYS =
      Map.of("dir", SidecarSetting.STATS_DIRECTORY);

  /** Former environment variables of settings. */
  private static final Map<String, SidecarSetting> FORMER_VARIABLES =
      Map.of("CISTERN_DIR", SidecarSetting.STATS_DIRECTORY);

  private final Map<SidecarSetting, String> given;

  private SidecarConfig(Map<SidecarSetting, String> given) {
    this.given = given;
  }

  /** A setting that cannot be taken. The message says which, and what is allowed. */
  static final class BadSettingException extends Exception {
    private static final long serialVersionUID = 1;

    BadSettingException(String message) {
      super(message);
    }
  }

  /**
   * Reads all settings, and checks them.
   *
   * @throws BadSettingException if one is not known, has another form, or is missing
   */
  static SidecarConfig read(List<String> options, Map<String, String> environment)
      throws BadSettingException {
    Map<SidecarSetting, String> strongest = options(options);
    for (SidecarSetting setting : SidecarSetting.values()) {
      String value = environment.get(setting.environment());
      if (value != null && !value.isEmpty()) {
        strongest.putIfAbsent(setting, value);
      }
    }
    String file = strongest.getOrDefault(SidecarSetting.CONFIG, "none");
    if (!file.equals("none")) {
      yaml(Path.of(file)).forEach(strongest::putIfAbsent);
    }
    SidecarConfig config = new SidecarConfig(strongest);
    config.check();
    return config;
  }

  /** Returns a line for each former environment variable that is set, and thus ignored. */
  static List<String> warnings(Map<String, String> environment) {
    List<String> warnings = new ArrayList<>();
    FORMER_VARIABLES.forEach(
        (former, setting) -> {
          if (environment.containsKey(former)) {
            warnings.add(
                "ignored environment variable "
                    + former
                    + ": its new name is "
                    + setting.environment());
          }
        });
    return warnings;
  }

  private static Map<SidecarSetting, String> options(List<String> options)
      throws BadSettingException {
    Map<SidecarSetting, String> found = new EnumMap<>(SidecarSetting.class);
    for (Iterator<String> rest = options.iterator(); rest.hasNext(); ) {
      String option = rest.next();
      int equals = option.indexOf('=');
      String name = equals < 0 ? option : option.substring(0, equals);
      if (!name.startsWith("--")) {
        throw new BadSettingException("'" + option + "' is no option (known: " + keys() + ")");
      }
      SidecarSetting setting = byKey(name.substring(2), "option");
      if (equals < 0 && !rest.hasNext()) {
        throw new BadSettingException(name + " needs a value (allowed: " + setting.allowed() + ")");
      }
      found.put(setting, equals < 0 ? rest.next() : option.substring(equals + 1));
    }
    return found;
  }

  private static Map<SidecarSetting, String> yaml(Path file) throws BadSettingException {
    Map<SidecarSetting, String> found = new EnumMap<>(SidecarSetting.class);
    Object document;
    try {
      document = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
    } catch (IOException | YamlEngineException e) {
      throw new BadSettingException("config = '" + file + "' cannot be read: " + e.getMessage());
    }
    if (document == null) {
      return found;
    }
    if (!(document instanceof Map<?, ?> settings)) {
      throw new BadSettingException(
          "config = '" + file + "' has another form (allowed: one key: value a line)");
    }
    for (Map.Entry<?, ?> entry : settings.entrySet()) {
      String where = "key in " + file;
      found.put(byKey(String.valueOf(entry.getKey()), where), String.valueOf(entry.getValue()));
    }
    return found;
  }

  private static SidecarSetting byKey(String key, String what) throws BadSettingException {
    for (SidecarSetting setting : SidecarSetting.values()) {
      if (setting.key().equals(key)) {
        return setting;
      }
    }
    SidecarSetting renamed = FORMER_KEYS.get(key);
    throw new BadSettingException(
        "'"
            + key
            + "' is no "
            + what
            + (renamed == null
                ? " (known: " + keys() + ")"
                : "; its new name is " + renamed.key()));
  }

  private static String keys() {
    StringBuilder keys = new StringBuilder();
    for (SidecarSetting setting : SidecarSetting.values()) {
      keys.append(keys.length() == 0 ? "" : ", ").append(setting.key());
    }
    return keys.toString();
  }

  private void check() throws BadSettingException {
    number(SidecarSetting.RETENTION_HOURS, 1, 87_600);
    bytes(SidecarSetting.RETENTION_BYTES, KILO * KILO, 64 * KILO * KILO * KILO);
    number(SidecarSetting.DOWN_MINUTES, 1, 10_080);
    number(SidecarSetting.SCAN_MILLIS, 100, 60_000);
    hasControl();
    options();
    otlpInterval();
    otlpHeaders();
    String endpoint = text(SidecarSetting.OTLP_ENDPOINT);
    if (!endpoint.equals("none") && !OtlpOptions.isEndpoint(endpoint)) {
      throw bad(SidecarSetting.OTLP_ENDPOINT, endpoint);
    }
  }

  private String text(SidecarSetting setting) {
    return given.getOrDefault(setting, setting.defaultText());
  }

  private static BadSettingException bad(SidecarSetting setting, String value) {
    return new BadSettingException(
        setting.key() + " = '" + value + "' is not allowed (allowed: " + setting.allowed() + ")");
  }

  private long number(SidecarSetting setting, long least, long most) throws BadSettingException {
    String value = text(setting);
    try {
      long number = Long.parseLong(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The message below says it.
    }
    throw bad(setting, value);
  }

  private long bytes(SidecarSetting setting, long least, long most) throws BadSettingException {
    String value = text(setting);
    int unit =
        value.isEmpty()
            ? -1
            : "kmg".indexOf(value.toLowerCase(Locale.ROOT).charAt(value.length() - 1));
    try {
      String digits = unit < 0 ? value : value.substring(0, value.length() - 1);
      long number = Math.multiplyExact(Long.parseLong(digits), 1L << (10 * (unit + 1)));
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException | ArithmeticException e) {
      // The message below says it.
    }
    throw bad(setting, value);
  }

  /** Where the hosts write. */
  Path directory() {
    String directory = text(SidecarSetting.STATS_DIRECTORY);
    return directory.equals("auto") ? OwnDirectory.byDefault() : Path.of(directory);
  }

  /** Whether that is the directory of this user's hosts, which others cannot enter. */
  boolean isOwnDirectory() {
    return text(SidecarSetting.STATS_DIRECTORY).equals("auto");
  }

  /** Where it listens. */
  String listen() {
    return text(SidecarSetting.LISTEN);
  }

  /** Where it keeps what hosts left. */
  Path postMortemDirectory() {
    @Nullable String directory = given.get(SidecarSetting.POSTMORTEM_DIRECTORY);
    return directory == null ? directory().resolve("postmortem") : Path.of(directory);
  }

  /** Whether that is the one in the directory to which others may write, too. */
  boolean isOwnPostMortemDirectory() {
    return given.get(SidecarSetting.POSTMORTEM_DIRECTORY) == null;
  }

  /** How long that is kept. */
  PostMortemStore.Retention retention() throws BadSettingException {
    return new PostMortemStore.Retention(
        TimeUnit.HOURS.toMillis(number(SidecarSetting.RETENTION_HOURS, 1, 87_600)),
        bytes(SidecarSetting.RETENTION_BYTES, KILO * KILO, 64 * KILO * KILO * KILO),
        TimeUnit.MINUTES.toMillis(number(SidecarSetting.DOWN_MINUTES, 1, 10_080)));
  }

  /** How often it looks for hosts that have ended. */
  long scanMillis() throws BadSettingException {
    return number(SidecarSetting.SCAN_MILLIS, 100, 60_000);
  }

  /** Who may see it, by a web configuration; null without one. */
  @Nullable Path webConfig() {
    String file = text(SidecarSetting.WEB_CONFIG);
    return file.equals("none") ? null : Path.of(file);
  }

  /** Returns whether clients with a login may send commands to hosts. */
  boolean hasControl() throws BadSettingException {
    String value = text(SidecarSetting.CONTROL);
    if (!value.equals("none") && !value.equals("on")) {
      throw bad(SidecarSetting.CONTROL, value);
    }
    return value.equals("on");
  }

  /** What is shown. */
  ExporterOptions options() throws BadSettingException {
    int most = 21;
    ExporterOptions options =
        ExporterOptions.DEFAULT
            .withSites(
                (int) number(SidecarSetting.LEAK_SITES, 0, most),
                (int) number(SidecarSetting.LIVE_SITES, 0, most))
            .withDetail(detail());
    return given.containsKey(SidecarSetting.SERIES_LIMIT)
        ? options.withSeriesLimit(
            (int)
                number(
                    SidecarSetting.SERIES_LIMIT,
                    ExporterOptions.MIN_SERIES,
                    ExporterOptions.MAX_SERIES))
        : options;
  }

  /** Where it pushes to; null if it does not. */
  @Nullable OtlpOptions otlp() throws BadSettingException {
    String endpoint = text(SidecarSetting.OTLP_ENDPOINT);
    return endpoint.equals("none")
        ? null
        : new OtlpOptions(endpoint, otlpInterval(), "cistern", otlpHeaders());
  }

  private Duration otlpInterval() throws BadSettingException {
    return Duration.ofSeconds(number(SidecarSetting.OTLP_INTERVAL_SECONDS, 1, 3_600));
  }

  private Map<String, String> otlpHeaders() throws BadSettingException {
    Map<String, String> headers = new HashMap<>();
    String text = text(SidecarSetting.OTLP_HEADERS);
    if (text.equals("none")) {
      return headers;
    }
    for (String header : COMMA.split(text, -1)) {
      int equals = header.indexOf('=');
      if (equals < 1) {
        // What stands there may be secret.
        throw bad(SidecarSetting.OTLP_HEADERS, "...");
      }
      headers.put(header.substring(0, equals).strip(), header.substring(equals + 1).strip());
    }
    return headers;
  }

  private Detail detail() throws BadSettingException {
    String value = text(SidecarSetting.DETAIL);
    for (Detail detail : Detail.values()) {
      if (Objects.equals(detail.name().toLowerCase(Locale.ROOT), value)) {
        return detail;
      }
    }
    throw bad(SidecarSetting.DETAIL, value);
  }
}
