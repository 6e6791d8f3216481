/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import com.google.protobuf.CodedInputStream;
import dev.cistern.exporter.profile.OtlpProfiles;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;

/** Content and protocol of a push. */
public enum PushFormat {
  /**
   * The live profile, as {@code push.v1.PushRequest} of Grafana Pyroscope: a series for each pool
   * and, in it, a compressed profile of pprof.
   */
  PYROSCOPE(
      "the live profile",
      "/push.v1.PusherService/Push",
      Map.of("Content-Type", "application/proto", "Connect-Protocol-Version", "1")),

  /**
   * The live profile, as {@code ExportProfilesServiceRequest} of opentelemetry-proto {@value
   * OtlpProfiles#VERSION}. The format is in development: a receiver of another version may refuse
   * it, or read it wrongly.
   */
  OTLP_PROFILES(
      "the live profile",
      "/v1development/profiles",
      Map.of(
          "Content-Type",
          "application/x-protobuf",
          "OTLP-Profiles-Development-Version",
          OtlpProfiles.DEVELOPMENT_VERSION)),

  /** Metrics, as {@code ExportMetricsServiceRequest} of OTLP 1. */
  OTLP_METRICS("metrics", "/v1/metrics", Map.of("Content-Type", "application/x-protobuf"));

  private final String what;
  private final String path;

  @SuppressWarnings("ImmutableEnumChecker") // of Map.of
  private final Map<String, String> headers;

  PushFormat(String what, String path, Map<String, String> headers) {
    this.what = what;
    this.path = path;
    this.headers = headers;
  }

  /** Returns the name of the format for metrics and names of threads. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the pushed content, for a log. */
  String what() {
    return what;
  }

  /** Returns the path of the protocol. */
  String path() {
    return path;
  }

  /** Returns the headers of the protocol. */
  Map<String, String> headers() {
    return headers;
  }

  /**
   * Returns whether the whole request is compressed. A request for Pyroscope has compressed parts
   * instead.
   */
  boolean isZipped() {
    return this != PYROSCOPE;
  }

  /**
   * Returns the number of profiles or data points that a receiver refused although it accepted the
   * request.
   *
   * @param response the body of the response; the result is 0 if it is malformed, because the
   *     status means that the request is accepted
   */
  long rejected(byte[] response) {
    try {
      return this == PYROSCOPE ? 0 : Math.max(0, partialSuccess(response));
    } catch (IOException e) {
      return 0;
    }
  }

  /** Limit of the number that a receiver reports, so that the counter does not overflow. */
  private static final long MAX_REJECTED = 1_000_000;

  /**
   * Returns the number of rejected items. The responses of OTLP have the same fields for all
   * signals.
   */
  private static long partialSuccess(byte[] response) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(response);
    long rejected = 0;
    for (int tag; (tag = in.readTag()) != 0; ) {
      if (tag >>> 3 == 1) { // partial_success
        CodedInputStream partial = in.readBytes().newCodedInput();
        for (int part; (part = partial.readTag()) != 0; ) {
          if (part >>> 3 == 1) {
            rejected = Math.max(rejected, Math.min(MAX_REJECTED, partial.readInt64()));
          } else {
            boolean unused = partial.skipField(part);
          }
        }
      } else {
        boolean unused = in.skipField(tag);
      }
    }
    return rejected;
  }
}
