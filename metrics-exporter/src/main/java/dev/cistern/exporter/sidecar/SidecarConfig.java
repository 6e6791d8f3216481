/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.push.PushCredentials;
import dev.cistern.exporter.push.PushOptions;
import dev.cistern.exporter.schema.Detail;
import dev.cistern.exporter.statsfile.UserDirectory;
import dev.cistern.exporter.yaml.YamlException;
import dev.cistern.exporter.yaml.YamlFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The sidecar's settings. Options take precedence over environment variables, and those over the
 * YAML file.
 */
final class SidecarConfig {
  private static final long KILO = 1 << 10;
  private static final Pattern COMMA = Pattern.compile(",");

  /** Visible ASCII characters without a comma or colon. */
  private static final Pattern HEADER_TEXT = Pattern.compile("[!-~&&[^,:]]{1,100}");

  private final Map<SidecarSetting, String> given;

  private SidecarConfig(Map<SidecarSetting, String> given) {
    this.given = given;
  }

  /** Thrown for an invalid setting. The message has its name and the permitted values. */
  static final class BadSettingException extends Exception {
    private static final long serialVersionUID = 1;

    BadSettingException(String message) {
      super(message);
    }
  }

  /**
   * Reads all settings, and checks them.
   *
   * @throws BadSettingException if a setting is unknown, malformed, or missing
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
    Object document = document(file);
    if (document == null) {
      return found;
    }
    if (!(document instanceof Map<?, ?> settings)) {
      throw new BadSettingException(
          "config = '" + file + "' has another form (allowed: one key: value a line)");
    }
    for (Map.Entry<?, ?> entry : settings.entrySet()) {
      String key = String.valueOf(entry.getKey());
      Object value = entry.getValue();
      if (value == null || value instanceof Collection || value instanceof Map) {
        throw new BadSettingException(
            "'"
                + YamlFile.shown(key)
                + "' has no single value in "
                + file
                + " (allowed: key: value)");
      }
      found.put(byKey(key, "key in " + file), String.valueOf(value));
    }
    return found;
  }

  private static @Nullable Object document(Path file) throws BadSettingException {
    String config = "config = '" + file + "' ";
    try {
      return YamlFile.read(file);
    } catch (YamlException e) {
      throw new BadSettingException(
          config + "is not YAML: " + e.getMessage() + " (allowed: one key: value a line)");
    } catch (IOException e) {
      throw new BadSettingException(
          config
              + "cannot be read: "
              + e.getClass().getSimpleName()
              + ": "
              + e.getMessage()
              + " (allowed: "
              + SidecarSetting.CONFIG.allowed()
              + ")");
    }
  }

  private static SidecarSetting byKey(String key, String what) throws BadSettingException {
    for (SidecarSetting setting : SidecarSetting.values()) {
      if (setting.key().equals(key)) {
        return setting;
      }
    }
    throw new BadSettingException(
        "'" + YamlFile.shown(key) + "' is no " + what + " (known: " + keys() + ")");
  }

  private static String keys() {
    return Arrays.stream(SidecarSetting.values())
        .map(SidecarSetting::key)
        .collect(Collectors.joining(", "));
  }

  private void check() throws BadSettingException {
    retention();
    scanMillis();
    hasControl();
    options();
    otlpInterval();
    otlpHeaders();
    pushes();
  }

  private String text(SidecarSetting setting) {
    return given.getOrDefault(setting, setting.defaultText());
  }

  private static BadSettingException bad(SidecarSetting setting, String value) {
    return new BadSettingException(
        setting.key() + " = '" + value + "' is not allowed (allowed: " + setting.allowed() + ")");
  }

  private long number(SidecarSetting setting) throws BadSettingException {
    String value = text(setting);
    try {
      long number = Long.parseLong(value);
      if (setting.allows(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The exception below reports the invalid number.
    }
    throw bad(setting, value);
  }

  private long bytes(SidecarSetting setting, long min, long max) throws BadSettingException {
    String value = text(setting);
    int unit =
        value.isEmpty()
            ? -1
            : "kmg".indexOf(value.toLowerCase(Locale.ROOT).charAt(value.length() - 1));
    try {
      String digits = unit < 0 ? value : value.substring(0, value.length() - 1);
      long number = Math.multiplyExact(Long.parseLong(digits), 1L << (10 * (unit + 1)));
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException | ArithmeticException e) {
      // The exception below reports the invalid number.
    }
    throw bad(setting, value);
  }

  /** Returns the directory to which the hosts write. */
  Path directory() {
    String directory = text(SidecarSetting.STATS_DIRECTORY);
    return directory.equals("auto") ? UserDirectory.byDefault() : Path.of(directory);
  }

  /** Returns whether this is the directory of this user's hosts, which other users cannot enter. */
  boolean isUserDirectory() {
    return text(SidecarSetting.STATS_DIRECTORY).equals("auto");
  }

  /** Returns the address to listen on. */
  String listen() {
    return text(SidecarSetting.LISTEN);
  }

  /** Returns the directory of post-mortems. */
  Path postMortemDirectory() {
    @Nullable String directory = given.get(SidecarSetting.POSTMORTEM_DIRECTORY);
    return directory == null ? directory().resolve("postmortem") : Path.of(directory);
  }

  /**
   * Returns whether post-mortems are in the directory of the hosts, to which other users may write.
   */
  boolean isOwnPostMortemDirectory() {
    return given.get(SidecarSetting.POSTMORTEM_DIRECTORY) == null;
  }

  /** Returns the limits of keeping post-mortems. */
  PostMortemStore.Retention retention() throws BadSettingException {
    return new PostMortemStore.Retention(
        TimeUnit.HOURS.toMillis(number(SidecarSetting.RETENTION_HOURS)),
        bytes(SidecarSetting.RETENTION_BYTES, KILO * KILO, 64 * KILO * KILO * KILO),
        TimeUnit.MINUTES.toMillis(number(SidecarSetting.DOWN_MINUTES)));
  }

  /** Returns the interval of the search for ended hosts, in milliseconds. */
  long scanMillis() throws BadSettingException {
    return number(SidecarSetting.SCAN_MILLIS);
  }

  /** Returns the file with the rules for clients; null if there is none. */
  @Nullable Path webConfig() {
    String file = text(SidecarSetting.WEB_CONFIG);
    return file.equals("none") ? null : Path.of(file);
  }

  /** Returns whether clients with a login may send commands to hosts. */
  boolean hasControl() throws BadSettingException {
    return isOn(SidecarSetting.CONTROL);
  }

  private boolean isOn(SidecarSetting setting) throws BadSettingException {
    String value = text(setting);
    if (!value.equals(setting.defaultText()) && !value.equals("on")) {
      throw bad(setting, value);
    }
    return value.equals("on");
  }

  /** Returns the options of the series. */
  SeriesOptions options() throws BadSettingException {
    return SeriesOptions.DEFAULT
        .withSites((int) number(SidecarSetting.LEAK_SITES), (int) number(SidecarSetting.LIVE_SITES))
        .withDetail(detail())
        .withSeriesLimit((int) number(SidecarSetting.SERIES_LIMIT));
  }

  /** Returns the receivers and contents of pushes; empty if there are none. */
  List<PushOptions> pushes() throws BadSettingException {
    List<PushOptions> pushes = new ArrayList<>();
    String pyroscope = pushEndpoint(SidecarSetting.PYROSCOPE_ENDPOINT);
    Duration interval = Duration.ofSeconds(number(SidecarSetting.PYROSCOPE_INTERVAL_SECONDS));
    String tenant = headerText(SidecarSetting.PYROSCOPE_TENANT);
    PushCredentials credentials = pyroscopeCredentials();
    if (pyroscope != null) {
      PushOptions options =
          PushOptions.pyroscope(pyroscope).withInterval(interval).withCredentials(credentials);
      pushes.add(tenant.isEmpty() ? options : options.withTenant(tenant));
    }
    boolean hasProfiles = isOn(SidecarSetting.OTLP_PROFILES);
    String otlp = pushEndpoint(SidecarSetting.OTLP_ENDPOINT);
    if (otlp == null && hasProfiles) {
      throw new BadSettingException("otlpProfiles = 'on' needs otlpEndpoint");
    }
    if (otlp != null) {
      pushes.add(otlp(PushOptions.otlpMetrics(otlp)));
      if (hasProfiles) {
        pushes.add(otlp(PushOptions.otlpProfiles(otlp)));
      }
    }
    return pushes;
  }

  private PushOptions otlp(PushOptions options) throws BadSettingException {
    return options.withInterval(otlpInterval()).withHeaders(otlpHeaders());
  }

  private @Nullable String pushEndpoint(SidecarSetting setting) throws BadSettingException {
    String endpoint = text(setting);
    if (endpoint.equals("none")) {
      return null;
    }
    if (!PushOptions.isEndpoint(endpoint)) {
      throw bad(setting, PushOptions.shown(endpoint));
    }
    return endpoint;
  }

  private @Nullable PushCredentials pyroscopeCredentials() throws BadSettingException {
    String user = headerText(SidecarSetting.PYROSCOPE_USER);
    String file = text(SidecarSetting.PYROSCOPE_TOKEN_FILE);
    if (file.equals("none")) {
      if (!user.isEmpty()) {
        throw new BadSettingException("pyroscopeUser = '" + user + "' needs pyroscopeTokenFile");
      }
      return null;
    }
    if (!Files.isReadable(Path.of(file))) {
      throw bad(SidecarSetting.PYROSCOPE_TOKEN_FILE, file);
    }
    return new PushCredentials(user, Path.of(file));
  }

  /** Returns a text that is sent as a part of a header; empty if there is none. */
  private String headerText(SidecarSetting setting) throws BadSettingException {
    String value = text(setting);
    if (value.equals("none")) {
      return "";
    }
    if (!HEADER_TEXT.matcher(value).matches()) {
      throw bad(setting, value);
    }
    return value;
  }

  private Duration otlpInterval() throws BadSettingException {
    return Duration.ofSeconds(number(SidecarSetting.OTLP_INTERVAL_SECONDS));
  }

  private Map<String, String> otlpHeaders() throws BadSettingException {
    Map<String, String> headers = new HashMap<>();
    String text = text(SidecarSetting.OTLP_HEADERS);
    if (text.equals("none")) {
      return headers;
    }
    for (String header : COMMA.split(text, -1)) {
      int equals = header.indexOf('=');
      String name = header.substring(0, Math.max(0, equals)).strip();
      String value = header.substring(equals + 1).strip();
      if (!PushOptions.isHeader(name, value)) {
        // the value may be secret
        throw bad(SidecarSetting.OTLP_HEADERS, "...");
      }
      headers.put(name, value);
    }
    return headers;
  }

  private Set<Detail> detail() throws BadSettingException {
    try {
      return Detail.parse(text(SidecarSetting.DETAIL));
    } catch (IllegalArgumentException e) {
      throw bad(SidecarSetting.DETAIL, text(SidecarSetting.DETAIL));
    }
  }
}
