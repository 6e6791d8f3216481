/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import dev.cistern.exporter.http.Page;
import dev.cistern.exporter.http.Request;
import dev.cistern.exporter.http.Response;
import dev.cistern.exporter.http.ZippedBody;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A file of the browser page, which is read at the first request and then kept compressed. */
final class AssetPage implements Page {
  private static final int TAG_BYTES = 12;

  /**
   * Content security policy. The page loads nothing from other sites, its text is never run as
   * code, only the template library creates elements, and no site may show the page in a frame.
   */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"
          + " data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'; trusted-types lit-html";

  private final String contentType;
  private final Source source;

  /** Written at the first request; read by any serving thread. */
  private volatile @Nullable Content content;

  /** Source of the bytes. */
  @FunctionalInterface
  interface Source {
    byte[] read() throws IOException;
  }

  private record Content(ZippedBody body, String tag) {}

  /** Returns a file of this package. */
  static AssetPage ofFile(String name, String contentType) {
    return new AssetPage(contentType, () -> file(name));
  }

  /**
   * Creates the page.
   *
   * @param contentType content type of the response
   * @param source source of the bytes, read once
   */
  AssetPage(String contentType, Source source) {
    this.contentType = contentType;
    this.source = source;
  }

  private static byte[] file(String name) throws IOException {
    try (InputStream file = AssetPage.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new FileNotFoundException(name);
      }
      return file.readAllBytes();
    }
  }

  @Override
  public Response respond(Request request) throws IOException {
    Content known = content;
    if (known == null) {
      known = read();
      content = known;
    }
    if (request.header("If-None-Match").contains(known.tag())) {
      return Response.notModified().with(headers(known.tag()));
    }
    return Response.ok(contentType, known.body()).with(headers(known.tag()));
  }

  /**
   * Returns headers that let the browser cache the file but validate it at each use, so that
   * updates take effect at once.
   */
  private static Map<String, String> headers(String tag) {
    Map<String, String> headers = new HashMap<>();
    headers.put("Cache-Control", "no-cache");
    headers.put("ETag", tag);
    headers.put("Content-Security-Policy", POLICY);
    headers.put("Referrer-Policy", "no-referrer");
    return headers;
  }

  private Content read() throws IOException {
    byte[] bytes = source.read();
    return new Content(ZippedBody.of(out -> out.write(bytes)), tag(bytes));
  }

  /** Returns a weak tag, because the compressed form has the same tag. */
  private static String tag(byte[] bytes) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      return "W/\"" + HexFormat.of().formatHex(hash, 0, TAG_BYTES) + '"';
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible); // all JDKs have SHA-256
    }
  }
}
