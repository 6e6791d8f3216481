/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import dev.cistern.exporter.web.WebConfig.RateLimit;
import dev.cistern.exporter.yaml.YamlException;
import dev.cistern.exporter.yaml.YamlFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reader of a web configuration file. It refuses unknown keys. */
record WebConfigReader(Path file) {
  /**
   * Maximum cost of a hash. Above it, one login would keep a processor of the host busy for
   * seconds.
   */
  static final int MAX_BCRYPT_COST = 16;

  private static final int MAX_BURST = 1_000_000;
  private static final Pattern BCRYPT = Pattern.compile("\\$2[aby]\\$(\\d\\d)\\$[./A-Za-z0-9]{53}");
  private static final List<String> HEADERS =
      List.of(
          "Content-Security-Policy",
          "X-Frame-Options",
          "X-Content-Type-Options",
          "X-XSS-Protection",
          "Strict-Transport-Security");
  private static final Map<String, Set<String>> HEADER_VALUES =
      Map.of(
          "X-Frame-Options", Set.of("deny", "sameorigin"),
          "X-Content-Type-Options", Set.of("nosniff"));

  /**
   * Returns the content of {@code file}, without reading the files that it names.
   *
   * @throws WebConfigException if it cannot be read, or has an invalid key or value
   */
  static WebConfig read(Path file) throws WebConfigException {
    return new WebConfigReader(file).read();
  }

  private WebConfig read() throws WebConfigException {
    Section all = new Section(file.toString(), "", load());
    boolean hasTls = all.has("tls_server_config");
    Section tls = all.section("tls_server_config");
    Section http = all.section("http_server_config");
    Map<String, String> users = users(all.section("basic_auth_users"));
    RateLimit limit = rateLimit(all.section("rate_limit"));
    all.end();
    return new WebConfig(
        hasTls ? TlsConfigReader.read(tls, file) : null, headers(http), users, limit);
  }

  private @Nullable Object load() throws WebConfigException {
    try {
      return YamlFile.read(file);
    } catch (YamlException e) {
      throw new WebConfigException(
          file + " is not YAML: " + e.getMessage() + "; allowed: key: value");
    } catch (IOException e) {
      throw new WebConfigException(file + " cannot be read (" + e + "); allowed: a YAML file", e);
    }
  }

  private static Map<String, String> headers(Section http) throws WebConfigException {
    // Ignore the key, because the JDK's server has no HTTP/2, but files that several programs share
    // may have the key.
    boolean unused = http.flag("http2", true);
    Section section = http.section("headers");
    Map<String, String> headers = new LinkedHashMap<>();
    for (String name : HEADERS) {
      String value = section.text(name);
      if (value == null) {
        continue;
      }
      Set<String> allowed = HEADER_VALUES.get(name);
      if (allowed != null && !allowed.contains(value)) {
        throw section.bad(name, value, String.join(" or ", allowed.stream().sorted().toList()));
      }
      if (value.chars().anyMatch(c -> c < ' ' || c > '~')) {
        throw section.badSecret(name, "has a control character", "one line of ASCII");
      }
      headers.put(name, value);
    }
    section.end();
    http.end();
    return Map.copyOf(headers);
  }

  private static Map<String, String> users(Section section) throws WebConfigException {
    Map<String, String> users = section.all();
    for (Map.Entry<String, String> user : users.entrySet()) {
      String name = user.getKey();
      if (name.isEmpty() || name.contains(":")) {
        throw section.badSecret(name, "is no user name", "a name without a colon");
      }
      var matcher = BCRYPT.matcher(user.getValue());
      if (!matcher.matches()) {
        throw section.badSecret(
            name,
            "has no bcrypt hash",
            "what 'htpasswd -nBC 10 " + YamlFile.shown(name) + "' prints");
      }
      int cost = Integer.parseInt(matcher.group(1));
      if (cost < 4 || cost > MAX_BCRYPT_COST) {
        throw section.badSecret(
            name,
            "has a bcrypt hash of cost " + cost,
            "4 to " + MAX_BCRYPT_COST + ", since it is computed in the application's process");
      }
    }
    return Map.copyOf(users);
  }

  private static @Nullable RateLimit rateLimit(Section section) throws WebConfigException {
    String interval = section.text("interval");
    String burst = section.text("burst");
    section.end();
    long nanos = interval == null ? 0 : GoDuration.nanos(interval);
    if (nanos < 0) {
      throw section.bad("interval", String.valueOf(interval), "a duration such as 500ms or 1s");
    }
    if (nanos == 0) {
      return null;
    }
    if (burst == null || !burst.matches("\\d{1,7}")) {
      throw section.bad("burst", String.valueOf(burst), "a number from 1 to " + MAX_BURST);
    }
    int requests = Integer.parseInt(burst);
    if (requests < 1 || requests > MAX_BURST) {
      throw section.bad("burst", burst, "a number from 1 to " + MAX_BURST);
    }
    return new RateLimit(nanos, requests);
  }
}
