/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.ExporterServer;
import dev.cistern.exporter.Reports;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The files of the page. */
class PageAssetsTest {
  private static final Pattern LOADED =
      Pattern.compile("(?:src|href)=\"(assets/[^\"]+)\"|fetch\\(\"/?(assets/[^\"]+)\"");

  private final HttpClient client = HttpClient.newHttpClient();
  private ExporterServer server;

  @BeforeEach
  void start() throws Exception {
    server = ExporterServer.start("127.0.0.1:0", Reports::host);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpResponse<String> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("none");
  }

  @Test
  void onlyTheFilesOfThePageExist() throws Exception {
    TreeSet<String> queued = new TreeSet<>(List.of("/"));
    TreeSet<String> seen = new TreeSet<>();
    while (!queued.isEmpty()) {
      String path = queued.pollFirst();
      seen.add(path);
      HttpResponse<String> response = get(path);
      assertThat(response.statusCode()).as(path).isEqualTo(200);
      Matcher loaded = LOADED.matcher(response.body());
      while (loaded.find()) {
        String name = loaded.group(1) != null ? loaded.group(1) : loaded.group(2);
        String found = "/" + name;
        if (!seen.contains(found)) {
          queued.add(found);
        }
      }
    }
    assertThat(seen).containsExactlyInAnyOrderElementsOf(PageAssets.pages().keySet());
  }

  @Test
  void aBrowserWithACurrentFileGetsNotModified() throws Exception {
    for (String path : PageAssets.pages().keySet()) {
      HttpResponse<String> first = get(path);
      assertThat(header(first, "Cache-Control")).as(path).isEqualTo("no-cache");
      String tag = header(first, "ETag");
      HttpResponse<String> second = get(path, "If-None-Match", tag);
      assertThat(second.statusCode()).as(path).isEqualTo(304);
      assertThat(second.body()).isEmpty();
      assertThat(header(second, "ETag")).isEqualTo(tag);
      assertThat(get(path, "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void theFilesAreSentCompressedWithTheirType() throws Exception {
    HttpResponse<String> zipped = get("/assets/page.js", "Accept-Encoding", "gzip");
    assertThat(header(zipped, "Content-Encoding")).isEqualTo("gzip");
    assertThat(header(zipped, "Content-Type")).isEqualTo("text/javascript; charset=utf-8");
    assertThat(header(get("/assets/page.css"), "Content-Type"))
        .isEqualTo("text/css; charset=utf-8");
    assertThat(header(get("/"), "Content-Type")).isEqualTo("text/html; charset=utf-8");
    assertThat(get("/assets/page.js").body()).contains("uplot");
  }

  @Test
  void thePolicyAllowsTheOwnOriginAndNothingInline() throws Exception {
    HttpResponse<String> page = get("/");
    assertThat(header(page, "Content-Security-Policy"))
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe")
        .doesNotContain("http:")
        .doesNotContain("https:")
        .doesNotContain("*");
    assertThat(page.body())
        .doesNotContain("<style")
        .doesNotContain(" style=")
        .doesNotContainPattern("<script(?![^>]* src=\"assets/)")
        .doesNotContainPattern(" on[a-z]+=")
        .contains("<noscript>", "href=\"metrics\"", "href=\"leaks\"", "href=\"live\"");
  }

  @Test
  void noOtherFileOfTheJarIsServed() throws Exception {
    for (String path :
        List.of(
            "/assets/",
            "/assets/index.html",
            "/assets/lib/uplot/LICENSE",
            "/assets/../page/index.html",
            "/assets/%2e%2e/Router.class",
            "/assets/lib/lit-html/../../app.js")) {
      assertThat(get(path).statusCode()).as(path).isEqualTo(404);
    }
  }

  @Test
  void theLicencesOfTheLibrariesAreBesideThem() {
    for (String library : List.of("uplot", "lit-html", "d3-hierarchy")) {
      assertThat(PageAssets.class.getResource("lib/" + library + "/LICENSE")).isNotNull();
    }
  }
}
