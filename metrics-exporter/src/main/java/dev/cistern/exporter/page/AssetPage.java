/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import dev.cistern.exporter.http.Response;
import dev.cistern.exporter.http.Page;
import dev.cistern.exporter.http.Request;
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

/** A file of the page, read when it is first asked for and then kept compressed. */
final class AssetPage implements Page {
  private static final int TAG_BYTES = 12;

  /**
   * Nothing comes from elsewhere, nothing in the page's text is code, and text becomes elements
   * only through the template library; nobody may frame the page.
   */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"
          + " data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'; trusted-types lit-html";

  private final String contentType;
  private final Source source;

  /** Written once by whoever asks first; read by any serving thread. */
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
   * @param contentType of the answer
   * @param source read once
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
  public Response answer(Request request) throws IOException {
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
   * The browser keeps the file, and asks each time whether it still holds: updates come at once.
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

  /** Weak, since the same tag stands for the compressed form. */
  private static String tag(byte[] bytes) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      return "W/\"" + HexFormat.of().formatHex(hash, 0, TAG_BYTES) + '"';
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible); // every JDK has it
    }
  }
}
