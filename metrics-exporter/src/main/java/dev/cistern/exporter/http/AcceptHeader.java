/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/**
 * Media types that a client accepts (RFC 9110, 12.5.1). The most precise range that names a media
 * type decides about it, and its q-value is the preference.
 */
public final class AcceptHeader {
  /**
   * Maximum number of ranges. The rest of a longer header is ignored, because no regular client
   * sends one.
   */
  private static final int MAX_RANGES = 64;

  private final List<Range> ranges;

  private record Range(MediaType media, double quality) {}

  private AcceptHeader(List<Range> ranges) {
    this.ranges = ranges;
  }

  /**
   * Parses the {@code Accept} header of a request.
   *
   * @param lines the values of all {@code Accept} lines; without one, everything is accepted
   */
  public static AcceptHeader parse(Collection<String> lines) {
    List<Range> ranges = new ArrayList<>();
    for (String item : String.join(",", lines).split(",", -1)) {
      if (!item.isBlank() && ranges.size() < MAX_RANGES) {
        ranges.add(range(item));
      }
    }
    if (ranges.isEmpty()) {
      ranges.add(range("*/*"));
    }
    return new AcceptHeader(ranges);
  }

  private static Range range(String item) {
    MediaType media = MediaType.parse(item);
    TreeMap<String, String> parameters = new TreeMap<>(media.parameters());
    String quality = parameters.remove("q");
    return new Range(
        new MediaType(media.type(), media.subtype(), parameters),
        quality == null ? 1 : quality(quality));
  }

  /** Parses a q-value. A malformed q-value means that the type is not accepted. */
  static double quality(String text) {
    try {
      double quality = Double.parseDouble(text.trim().toLowerCase(Locale.ROOT));
      return quality >= 0 && quality <= 1 ? quality : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Returns the preference of the client for {@code offer}, from 0 (not accepted) to 1. */
  double quality(MediaType offer) {
    int best = 0;
    double quality = 0;
    for (Range range : ranges) {
      int precision = range.media().precision(offer);
      if (precision > best || (precision == best && precision > 0 && range.quality() > quality)) {
        best = precision;
        quality = range.quality();
      }
    }
    return quality;
  }

  /**
   * Returns the offer with the highest preference; the first of several with the same preference.
   * Returns the first offer if none is accepted, because a readable response in another format is
   * more useful than an error.
   */
  public MediaType choose(List<MediaType> offers) {
    MediaType best = offers.get(0);
    double bestQuality = quality(best);
    for (MediaType offer : offers) {
      double quality = quality(offer);
      if (quality > bestQuality) {
        best = offer;
        bestQuality = quality;
      }
    }
    return best;
  }

  /** Returns whether the {@code Accept-Encoding} lines of a request allow gzip. */
  public static boolean allowsGzip(Collection<String> encodingLines) {
    double gzip = -1;
    double any = 0;
    for (String item : String.join(",", encodingLines).split(",", -1)) {
      String[] parts = item.trim().toLowerCase(Locale.ROOT).split(";", 2);
      String name = parts[0].trim();
      double quality = parts.length == 1 ? 1 : quality(parts[1].trim().replaceFirst("^q *= *", ""));
      if (name.equals("gzip") || name.equals("x-gzip")) {
        gzip = Math.max(gzip, quality);
      } else if (name.equals("*")) {
        any = quality;
      }
    }
    return (gzip >= 0 ? gzip : any) > 0;
  }
}
