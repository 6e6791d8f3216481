/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.cistern.exporter.page.PageAssets;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.report.SiteLabel;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.stats.NettyReport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.logging.LogEntries;
import org.openqa.selenium.logging.LogType;

/** Behaviour that the page must never show, and its view for clients with fewer rights. */
@Tag("full")
class PageSafetyTest {
  private static final String ATTACK = "\"><img src=x onerror='window.attacked=1'><script>";
  private static final String STRANGE = ATTACK + "attacked=1</script>${attacked=1}.m:7";

  private static Browser browser;

  @BeforeAll
  static void start() {
    browser = Browser.start();
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  /**
   * Leaves the page of the earlier test first: it still sends requests to a server that has ended,
   * and each refused request adds a line to the log. Then empties the log.
   */
  @BeforeEach
  void forgetLogs() {
    browser.load("about:blank");
    LogEntries unused = browser.driver().manage().logs().get(LogType.BROWSER);
  }

  @Test
  void namesThatAreMarkupAreShownAsText() throws Exception {
    PoolReport copy =
        new PoolReport(
            ATTACK,
            ATTACK,
            "swap",
            ATTACK,
            List.of(Reports.snapshot("direct", 0, 1L << 30)),
            0,
            0,
            0,
            Reports.leaks(List.of(Reports.entry("direct", STRANGE, 1, 1_024))),
            Reports.live(List.of(Reports.stack("direct", STRANGE, 3, 4_096)), List.of()),
            NettyReport.NONE,
            ModeChange.UNKNOWN,
            List.of());
    HostIdentity identity =
        new HostIdentity("00c0ffee00c0ffee", ATTACK, ATTACK, ATTACK, 1, ATTACK, 0);
    try (PageHost host =
        PageHost.of(new HostReport(identity, Reports.NOON_MILLIS, 0, List.of(copy)))) {
      browser.open(host.address());
      browser.find("details.site summary").click();
      browser.awaitPresent("details.site pre.frames");
      browser.awaitPresent(".flame .frame");
      browser.awaitTrue(
          "the leak's stack, too, is there",
          "return document.querySelectorAll('details.site pre.frames').length === 2");
      String text = browser.find("body").getText();
      assertThat(text.split("<img src=x onerror=", -1)).hasSizeGreaterThan(8);
      assertThat(text).contains("at \"><img src=x", "worker <1>");
      assertThat(browser.all("img, main script, header script")).isEmpty();
      assertThat(browser.script("return window.attacked")).isNull();
      assertNoBrowserError();
    }
  }

  @Test
  void itRequestsOnlyItsOwnOriginAndMayRequestNoOther() throws Exception {
    HttpServer elsewhere = HttpServer.create(loopback(), 0);
    elsewhere.start();
    try (PageHost host = PageHost.of(Reports.everything())) {
      browser.open(host.address());
      browser.find("details.site summary").click();
      browser.awaitPresent("details.site pre.frames");
      browser.awaitTrue(
          "there is another request",
          "return performance.getEntriesByType('resource')"
              + ".filter(e => e.name.includes('/state')).length > 1");
      List<Object> loaded =
          browser.list("return performance.getEntriesByType('resource').map(e => e.name)");
      assertThat(loaded)
          .hasSizeGreaterThan(PageAssets.pages().size())
          .allMatch(name -> name.toString().startsWith(host.address()));
      assertNoBrowserError();
      // The policy holds, also against code of the page itself.
      String foreign = "http://127.0.0.1:" + elsewhere.getAddress().getPort() + "/";
      Object refused =
          browser.script("return fetch(arguments[0]).then(() => 'sent', () => 'refused')", foreign);
      assertThat(refused).isEqualTo("refused");
      browser.awaitTrue("it was the policy", "return window.violations.length === 1");
      assertThat(browser.text("return window.violations[0]")).startsWith("connect-src");
    } finally {
      elsewhere.stop(0);
    }
  }

  /** Asserts that the policy has blocked nothing and that no script has failed. */
  private static void assertNoBrowserError() {
    assertThat(browser.list("return window.violations")).isEmpty();
    assertThat(browser.driver().manage().logs().get(LogType.BROWSER).getAll()).isEmpty();
  }

  @Test
  void clientsWithoutALoginSeeHashesAndHowToSeeMore() throws Exception {
    try (PageHost host = PageHost.of(Reports.host())) {
      browser.open("http://" + Browser.FOREIGN_NAME + ":" + host.port() + "/");
      String hash = SiteLabel.hashOfSite("com.shop.Cart.encode:42");
      String site = "details.site[data-site='" + hash + "']";
      assertThat(browser.find("main").getText()).contains(hash).doesNotContain("com.shop");
      assertThat(browser.text("return document.documentElement.outerHTML"))
          .doesNotContain("com.shop");
      browser.awaitPresent("#sites .refusal");
      assertThat(browser.find("#sites .refusal").getText())
          .contains("only to clients on the same machine", "ssh -L 9471:localhost:9471");
      browser.find(site + " summary").click();
      browser.awaitTrue(
          "no stack is shown",
          "return document.querySelector(arguments[0]).innerText.includes('may not see stacks')",
          site);
      browser.find("#filter").sendKeys(hash.substring(0, 6));
      browser.awaitTrue(
          "the rest works", "return document.querySelectorAll('details.site').length === 1");
    }
  }

  @Test
  void itWorksBelowThePathOfAProxy() throws Exception {
    HttpServer proxy = HttpServer.create(loopback(), 0);
    try (PageHost host = PageHost.of(Reports.host())) {
      proxy.createContext("/team/cistern/", exchange -> forward(exchange, host.port()));
      proxy.start();
      String address = "http://127.0.0.1:" + proxy.getAddress().getPort() + "/team/cistern/";
      browser.open(address);
      assertThat(browser.find("main").getText()).contains("io.netty", "com.shop.Cart.encode:42");
      browser.find("details.site summary").click();
      browser.awaitPresent("details.site pre.frames");
      for (Object link : browser.list("return [...document.links].map(e => e.href)")) {
        assertThat(link.toString()).startsWith(address);
      }
    } finally {
      proxy.stop(0);
    }
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static void forward(HttpExchange exchange, int port) throws IOException {
    URI uri = exchange.getRequestURI();
    String rest = uri.toString().substring("/team/cistern".length());
    try (exchange) {
      HttpResponse<byte[]> response =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + rest)).build(),
                  HttpResponse.BodyHandlers.ofByteArray());
      String type = response.headers().firstValue("Content-Type").orElse("");
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(response.statusCode(), response.body().length);
      exchange.getResponseBody().write(response.body());
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void withoutScriptsItNamesThePagesWithTheValues() throws Exception {
    browser.command("Emulation.setScriptExecutionDisabled", Map.of("value", true));
    try (PageHost host = PageHost.of(Reports.host())) {
      browser.load(host.address());
      assertThat(browser.find("noscript").getText()).contains("/metrics", "/leaks", "/live");
    } finally {
      browser.command("Emulation.setScriptExecutionDisabled", Map.of("value", false));
    }
  }

  @Test
  void aProfileThatIsOffIsNoFault() throws Exception {
    PoolReport copy = Reports.copy("io.netty", Reports.leaks(List.of()), LiveReport.EMPTY);
    try (PageHost host = PageHost.of(Reports.host(copy))) {
      browser.open(host.address());
      assertThat(browser.find("main").getText())
          .contains("No sampled buffer is in use, and no leak was found");
      assertNoBrowserError();
    }
  }
}
