/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A receiver and the interval of the pushes of {@link Push}.
 *
 * @param format the protocol of the receiver
 * @param endpoint {@code http} or {@code https}, host, port and optionally the prefix of a path;
 *     the path of the protocol is added
 * @param interval the time from one push to the next, 1 s to 1 h
 * @param credentials the login at the receiver; null for none
 * @param headers additional headers of each request
 */
public record PushOptions(
    PushFormat format,
    String endpoint,
    Duration interval,
    @Nullable PushCredentials credentials,
    Map<String, String> headers) {
  /** The default interval. */
  public static final Duration DEFAULT_INTERVAL = Duration.ofMinutes(1);

  private static final Duration MIN_INTERVAL = Duration.ofSeconds(1);
  private static final Duration MAX_INTERVAL = Duration.ofHours(1);

  /** Pattern of header names, RFC 9110, section 5.6.2. */
  private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

  /** Pyroscope's header that names the tenant. */
  private static final String TENANT_HEADER = "X-Scope-OrgID";

  /**
   * Validates the options.
   *
   * @throws IllegalArgumentException if the endpoint is not such a URL, the interval is out of
   *     range, or a header is malformed; the message contains no value of a header
   */
  public PushOptions {
    headers = Map.copyOf(headers);
    if (!isEndpoint(endpoint)) {
      throw new IllegalArgumentException(
          "endpoint: '"
              + shown(endpoint)
              + "' (expected: http://host:port or https://host:port, without a login)");
    }
    if (interval.compareTo(MIN_INTERVAL) < 0 || interval.compareTo(MAX_INTERVAL) > 0) {
      throw new IllegalArgumentException(
          "interval: " + interval + " (expected: " + MIN_INTERVAL + " to " + MAX_INTERVAL + ")");
    }
    headers.forEach(
        (name, value) -> {
          if (!isHeader(name, value)) {
            throw new IllegalArgumentException(
                "header: a name or value is malformed (expected: the characters of HTTP headers)");
          }
        });
  }

  /**
   * Returns options to push to Grafana Pyroscope once a minute.
   *
   * @param endpoint such as {@code http://pyroscope:4040}
   */
  public static PushOptions pyroscope(String endpoint) {
    return new PushOptions(PushFormat.PYROSCOPE, endpoint, DEFAULT_INTERVAL, null, Map.of());
  }

  /**
   * Returns options to push profiles to an OpenTelemetry receiver once a minute. The signal is in
   * development: see {@link PushFormat#OTLP_PROFILES}.
   *
   * @param endpoint such as {@code http://collector:4318}
   */
  public static PushOptions otlpProfiles(String endpoint) {
    return new PushOptions(PushFormat.OTLP_PROFILES, endpoint, DEFAULT_INTERVAL, null, Map.of());
  }

  /**
   * Returns options to push metrics to an OpenTelemetry receiver once a minute.
   *
   * @param endpoint such as {@code http://collector:4318}
   */
  public static PushOptions otlpMetrics(String endpoint) {
    return new PushOptions(PushFormat.OTLP_METRICS, endpoint, DEFAULT_INTERVAL, null, Map.of());
  }

  /** Returns these options with another interval. */
  public PushOptions withInterval(Duration newInterval) {
    return new PushOptions(format, endpoint, newInterval, credentials, headers);
  }

  /** Returns these options with a login. */
  public PushOptions withCredentials(@Nullable PushCredentials newCredentials) {
    return new PushOptions(format, endpoint, interval, newCredentials, headers);
  }

  /** Returns these options with additional headers of each request. */
  public PushOptions withHeaders(Map<String, String> moreHeaders) {
    Map<String, String> all = new HashMap<>(headers);
    all.putAll(moreHeaders);
    return new PushOptions(format, endpoint, interval, credentials, all);
  }

  /** Returns these options with a tenant of Pyroscope, the header {@code X-Scope-OrgID}. */
  public PushOptions withTenant(String tenant) {
    return withHeaders(Map.of(TENANT_HEADER, tenant));
  }

  /** Returns the endpoint for messages. A text with a login or a query is hidden. */
  public static String shown(String text) {
    return text.contains("@") || text.contains("?") ? "..." : text;
  }

  /** Returns whether a text is a URL that can be pushed to. */
  public static boolean isEndpoint(String text) {
    try {
      URI uri = new URI(text);
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      return isHttp
          && uri.getHost() != null
          && uri.getRawUserInfo() == null
          && uri.getRawQuery() == null
          && uri.getRawFragment() == null;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /** Returns whether the arguments are name and value of a header, in ASCII and on one line. */
  public static boolean isHeader(String name, String value) {
    return HEADER_NAME.matcher(name).matches() && value.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  /** Returns the URL of requests. */
  String url() {
    return (endpoint.endsWith("/") ? endpoint.substring(0, endpoint.length() - 1) : endpoint)
        + format.path();
  }

  /** Returns a description without the values of headers, which may be secret. */
  @Override
  public String toString() {
    return format.what() + " to " + endpoint + " every " + interval.toSeconds() + " s";
  }
}
