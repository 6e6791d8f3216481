/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.otlp;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Map;

/**
 * Where {@link OtlpPush} pushes to, and how often.
 *
 * @param endpoint {@code http} or {@code https}, host and port; {@code /v1/metrics} is added
 * @param interval from one push to the next, 1 s to 1 h
 * @param serviceName the resource attribute {@code service.name}
 * @param headers sent with each push
 */
public record OtlpOptions(
    String endpoint, Duration interval, String serviceName, Map<String, String> headers) {
  private static final Duration LEAST_INTERVAL = Duration.ofSeconds(1);
  private static final Duration LARGEST_INTERVAL = Duration.ofHours(1);

  /**
   * @throws IllegalArgumentException if the endpoint is no such URL, or the interval out of range
   */
  public OtlpOptions {
    headers = Map.copyOf(headers);
    if (!isEndpoint(endpoint)) {
      throw new IllegalArgumentException(
          "endpoint: '" + endpoint + "' (expected: http://host:port or https://host:port)");
    }
    if (interval.compareTo(LEAST_INTERVAL) < 0 || interval.compareTo(LARGEST_INTERVAL) > 0) {
      throw new IllegalArgumentException(
          "interval: "
              + interval
              + " (expected: "
              + LEAST_INTERVAL
              + " to "
              + LARGEST_INTERVAL
              + ")");
    }
  }

  /** One push a minute, without headers. */
  public OtlpOptions(String endpoint, String serviceName) {
    this(endpoint, Duration.ofMinutes(1), serviceName, Map.of());
  }

  /** Whether that is where one can push to. */
  public static boolean isEndpoint(String text) {
    try {
      URI uri = new URI(text);
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      return isHttp && uri.getHost() != null;
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
