/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cistern.exporter.finding.Diagnosed;
import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.report.CopyChunks;
import dev.cistern.exporter.report.PoolReport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** The view of a process on the page, and the actions on the process. */
@Tag("full")
class PageTest {
  private static final String CART = "details.site[data-site='com.shop.Cart.encode:42']";

  /** The element with the focus: its outline, whether it is new, and its identity. */
  private static final String FOCUSED =
      """
      const e = document.activeElement;
      if (e === document.body) {
        return 'BODY';
      }
      if (e.dataset.reached) {
        return 'again';
      }
      e.dataset.reached = true;
      const s = getComputedStyle(e);
      return e.tagName + ' ' + s.outlineStyle + ' ' + parseInt(s.outlineWidth);
      """;

  private static Browser browser;
  private static PageHost host;

  @BeforeAll
  static void start() throws Exception {
    browser = Browser.start();
    host = PageHost.loaded().withHour(0.2);
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
    if (host != null) {
      host.close();
    }
  }

  @BeforeEach
  void open() {
    browser.open(host.address());
  }

  /** A value as the page shows it. */
  private record Shown(double value, String text, String title) {}

  private static List<Shown> shown(String within) {
    List<Shown> figures = new ArrayList<>();
    for (Object row :
        browser.list(
            "return [...document.querySelectorAll(arguments[0] + ' data')].map(e =>"
                + " [e.value, e.textContent, e.title])",
            within)) {
      List<?> figure = (List<?>) row;
      figures.add(
          new Shown(
              Double.parseDouble((String) figure.get(0)),
              (String) figure.get(1),
              (String) figure.get(2)));
    }
    return figures;
  }

  private static double scraped(Map<String, Double> series, String name, String memory) {
    return series.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(name + "{"))
        .filter(entry -> entry.getKey().contains("memory=\"" + memory + "\""))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  @Test
  void itShowsTheVerdictFirst() {
    assertThat(browser.text("return document.querySelector('main > *:not(noscript)').className"))
        .startsWith("verdict ");
    assertThat(browser.find(".verdict h2").getText()).contains("com.shop.Cart.encode:42");
    assertThat(browser.find(".verdict").getText()).contains("Next:");
    browser.find(".verdict button").click();
    browser.awaitPresent(CART + "[open] pre.frames");
    String top = "return document.querySelector(arguments[0]).getBoundingClientRect().top";
    assertThat(browser.number(top, CART)).isBetween(-1L, 400L);
    browser.find(CART + " > summary").click(); // the other tests open the details themselves
  }

  @Test
  void memoryIsThatOfAScrape() {
    Map<String, Double> series =
        Scrape.fullSeries(new CisternCollector(host, PageHost.OPTIONS.series()));
    for (String memory : List.of("direct", "heap")) {
      List<Shown> figures = shown("#memory-" + memory + " > dl");
      for (String name : List.of("pinned", "cached", "free", "reserved")) {
        String metric = "cistern_" + name + "_bytes";
        assertThat(figures)
            .filteredOn(figure -> figure.title().contains("\n" + metric + ": "))
            .singleElement()
            .extracting(Shown::value)
            .isEqualTo(scraped(series, metric, memory));
      }
    }
    assertThat(shown("#memory-direct > dl"))
        .filteredOn(figure -> figure.title().contains("cistern_resident_bytes"))
        .extracting(Shown::value)
        .containsExactly((double) (12 << 20));
  }

  /** The page shows a count in full, and bytes with one decimal of their unit. */
  @Test
  void eachValueIsReadableAndHasItsMeaning() {
    browser.script("document.querySelectorAll('details.plain').forEach(e => e.open = true)");
    List<Shown> figures = shown("main");
    assertThat(figures).hasSizeGreaterThan(100);
    for (Shown figure : figures) {
      String[] words = figure.text().split(" ", -1);
      double number = Double.parseDouble(words[0].replace(",", ""));
      double unit =
          words.length == 1
              ? 1
              : Math.pow(1024, List.of("B", "KiB", "MiB", "GiB", "TiB").indexOf(words[1]));
      assertThat(number * unit)
          .as(figure.toString())
          .isCloseTo(figure.value(), within(words.length == 1 ? 0 : 0.051 * unit));
    }
    assertThat(figures.stream().filter(figure -> figure.title().contains("\ncistern_")).count())
        .isGreaterThan(100);
  }

  @Test
  void theHourIsAChartAndATable() {
    browser.awaitPresent("#memory-direct .chart canvas");
    browser.find("#memory-direct .plain summary").click();
    List<WebElement> rows = browser.all("#memory-direct .plain tbody tr");
    assertThat(rows).hasSize(61); // one row for each minute
    assertThat(rows.get(0).getText()).startsWith("11:05:00");
    assertThat(browser.find("#memory-direct .plain thead").getText())
        .contains("pinned", "cached", "free", "resident");
  }

  @Test
  void twoMomentsAreComparedBySliderAndByChart() {
    browser.awaitPresent("#memory-direct .chart canvas");
    browser.find("#sites .plain summary").click();
    String change = "#sites .plain tbody tr td:last-child";
    assertThat(browser.find(change).getText()).startsWith("+");
    browser.find("#sites .plain input").sendKeys(Keys.END);
    browser.awaitTrue(
        "nothing changed from the end to the end",
        "return document.querySelector(arguments[0]).textContent.trim() === '0 B'",
        change);
    WebElement chart = browser.find("#memory-direct .u-over");
    int left = 3 - chart.getSize().getWidth() / 2;
    new Actions(browser.driver()).moveToElement(chart, left, 0).click().perform();
    browser.awaitTrue(
        "the second moment is the start",
        "return document.querySelectorAll('#sites .plain input')[1].value < 10");
    assertThat(browser.find(change).getText()).startsWith("−");
  }

  @Test
  void theFlameGraphIsReachedAndZoomedByKeyboard() {
    browser.awaitPresent(".flame .frame");
    WebElement all = browser.find(".flame .frame");
    assertThat(all.getDomAttribute("aria-label")).startsWith("all: ").endsWith("100.0 % of all");
    long before = browser.all(".flame .frame").size();
    String site = ".flame .frame.site[aria-label^='com.shop.Cart.encode']";
    browser.find(site).sendKeys(Keys.ENTER);
    browser.awaitTrue(
        "in full width",
        "return document.querySelector(arguments[0]).getAttribute('width') === '100%'",
        site);
    assertThat(browser.all(".flame .frame").size()).isLessThan((int) before);
    browser.find("#sites .note button").click();
    browser.awaitTrue(
        "all again",
        "return document.querySelectorAll('.flame .frame').length === arguments[0]",
        before);
  }

  @Test
  void theMapHasACellForEachChunkAndEachSaysItsUsage() {
    long expected = 0;
    for (CopyChunks chunks : host.chunks()) {
      for (int arena = 0; arena < chunks.map().arenas(); arena++) {
        expected += chunks.map().listed(arena);
      }
    }
    assertThat(browser.number("return document.querySelectorAll('.cell').length"))
        .isEqualTo(expected)
        .isGreaterThan(10);
    assertThat(
            browser.list(
                "return [...document.querySelectorAll('.cell')].filter(e =>"
                    + " !e.title.startsWith(e.textContent + ' % used, band q'))"))
        .isEmpty();
  }

  @Test
  void theSearchLeavesTheSitesThatContainIt() {
    WebElement filter = browser.find("#filter");
    browser.find("body").sendKeys("/");
    assertThat(browser.driver().switchTo().activeElement()).isEqualTo(filter);
    filter.sendKeys("oRdEr");
    browser.awaitTrue(
        "one site is left",
        "return [...document.querySelectorAll('details.site')].map(e => e.dataset.site).join() ==="
            + " 'com.shop.Order.<init>:7'");
    filter.sendKeys("no such site");
    browser.awaitTrue("none", "return document.querySelectorAll('details.site').length === 0");
    assertThat(browser.find("#sites").getText()).contains("No site contains", "oRdErno such site");
    filter.sendKeys(Keys.ESCAPE);
    browser.awaitPresent(CART);
    assertThat(filter.getDomProperty("value")).isEmpty();
  }

  @Test
  void twoTabsShowTheLiveBuffersBySiteAndByHolder() throws Exception {
    PoolReport copy = Holders.watched(Reports.copy("io.netty", Reports.leaks()));
    try (PageHost holding = PageHost.of(Diagnosed.of(Reports.host(copy)))) {
      browser.open(holding.address());
      assertThat(browser.find("#panel-held").isDisplayed()).isFalse();
      browser.find("#tab-allocated").sendKeys(Keys.ARROW_RIGHT);
      assertThat(browser.find("#tab-held").getDomAttribute("aria-selected")).isEqualTo("true");
      assertThat(browser.driver().switchTo().activeElement()).isEqualTo(browser.find("#tab-held"));
      assertThat(browser.find("#panel-allocated").isDisplayed()).isFalse();
      WebElement first = browser.find("#panel-held .holder");
      assertThat(first.getText())
          .contains("HttpObjectAggregator", "aggregator, direct, io.netty", "12.0 MiB", "6.0 MiB");
      browser.find("#panel-held .holder > summary").click();
      assertThat(first.getText()).contains(Holders.READ, "40 s");
      assertThat(browser.find("#panel-held").getText())
          .contains("Pinned by slices", "64 B", "48.0 MiB", "com.shop.cache.Entries")
          .contains("26.0 MiB in 120 channels, 1 not writable; 20 HTTP/2 streams")
          .contains(Holders.ADDRESS, "for 39 s", "Sums by handlers");
      browser.find("#filter").sendKeys("upload.Store");
      browser.awaitTrue(
          "one holder is left", "return document.querySelectorAll('.holder').length === 1");
      browser.find("#filter").clear();
      browser.find("#filter").sendKeys(Keys.ESCAPE);
      browser.find(".verdict button").click();
      assertThat(browser.find("#panel-allocated").isDisplayed()).isTrue();
    }
  }

  @Test
  void aSiteOpensItsStacksWhichCanBeCopied() {
    assertThat(browser.find(CART + " summary").getText()).contains("suspect", "leak", "+1.1 MiB");
    browser.find(CART + " > summary").sendKeys(Keys.ENTER);
    browser.awaitTrue(
        "all its stacks",
        "return document.querySelectorAll(arguments[0] + ' .stack').length === 3",
        CART);
    assertThat(browser.find(CART).getText())
        .contains("at com.shop.Cart.encode(Source.java:42)", "at com.shop.Server.handle")
        .contains("1 frame of Netty, the JDK and Cistern", "9 outer frames not kept")
        .contains("The latest: pooled, 2.0 KiB requested");
    for (boolean hasClipboard : new boolean[] {true, false}) {
      // A page from another machine over http has no clipboard API, and copies a selection.
      browser.script(
          "Object.defineProperty(window, 'isSecureContext', {value: arguments[0], configurable:"
              + " true});",
          hasClipboard);
      WebElement button = browser.find(CART + " button.copy");
      browser.script( // records the word, because a busy machine can be too slow to see it in time
          """
          const button = arguments[0];
          window.labels = [];
          new MutationObserver(() => window.labels.push(button.textContent))
              .observe(button, {childList: true, characterData: true, subtree: true});
          """,
          button);
      button.click();
      browser.awaitTrue(
          "copied, and over",
          "return window.labels.includes('Copied') && window.labels.at(-1) === 'Copy stack'");
      assertThat(pasted())
          .contains("at com.shop.Cart.encode(Source.java:42)\n")
          .endsWith("at com.shop.Server.handle(Unknown Source)\n");
    }
  }

  /** Returns the content of the clipboard: pastes it into a field. */
  private static String pasted() {
    browser.script(
        "const area = document.createElement('textarea'); area.id = 'paste';"
            + " document.body.append(area);");
    WebElement area = browser.find("#paste");
    area.sendKeys(Keys.chord(Keys.CONTROL, "v"));
    String text = area.getDomProperty("value");
    browser.script("arguments[0].remove()", area);
    return String.valueOf(text);
  }

  @Test
  void allOfItCanBeReachedByKeyboardAndIsSeenThere() {
    browser.find(CART + " > summary").sendKeys(Keys.ENTER);
    browser.awaitPresent(CART + " pre.frames");
    browser.find("#pause").click(); // no update may arrive during the walk
    List<String> unseen = new ArrayList<>();
    // Walks from the button to the end, through the parts of the browser, and from the start back
    // to the button.
    for (boolean isAround = false; !isAround; ) {
      browser.driver().switchTo().activeElement().sendKeys(Keys.TAB);
      String focused = browser.text(FOCUSED);
      isAround = focused.equals("again");
      if (!isAround && !focused.matches("BODY|\\w+ (auto|solid) [23]")) {
        unseen.add(focused);
      }
    }
    List<Object> missed =
        browser.list(
            "return [...document.querySelectorAll('a, button, input, summary, .frame')].filter(e =>"
                + " e.checkVisibility() && !e.dataset.reached).map(e => e.outerHTML)");
    assertThat(missed).isEmpty();
    assertThat(unseen).isEmpty();
    assertThat(browser.all("[data-reached]")).hasSizeGreaterThan(20);
  }

  @Test
  void aRefreshKeepsScrollFocusSearchAndOpenSites() throws Exception {
    try (PageHost changing = PageHost.of(Reports.host())) {
      browser.open(changing.address());
      browser.find("#filter").sendKeys("com.shop");
      browser.find(CART + " > summary").sendKeys(Keys.ENTER);
      browser.awaitPresent(CART + " pre.frames");
      browser.script("scrollTo(0, 300)");
      changing.show(
          Reports.host(
              Reports.copy(
                  "io.netty",
                  Reports.leaks(
                      List.of(
                          Reports.entry("direct", "com.shop.Cart.encode:42", 5, 1_600_000),
                          Reports.entry("heap", "com.shop.Order.<init>:7", 9, 99_000_000))))));
      browser.awaitTrue(
          "it is drawn again",
          "return document.querySelector(arguments[0] + ' .open').textContent.includes('5 leaked')",
          CART);
      assertThat(browser.script("return document.querySelector(arguments[0]).open", CART))
          .isEqualTo(true);
      assertThat(
              browser.script(
                  "return document.activeElement === document.querySelector(arguments[0])",
                  CART + " > summary"))
          .isEqualTo(true);
      assertThat(browser.find("#filter").getDomProperty("value")).isEqualTo("com.shop");
      assertThat(browser.number("return scrollY")).isGreaterThanOrEqualTo(300);
    }
  }

  @Test
  void anActionIsDoneOnlyWhenItIsConfirmed(@TempDir Path directory) throws Exception {
    try (PageHost dumping = PageHost.dumping(Reports.host(), directory)) {
      browser.open(dumping.address());
      WebElement button = browser.find(".actions button");
      assertThat(button.getText()).isEqualTo("Write a dump …");
      button.click();
      assertThat(browser.find("#confirm").getText()).contains("dump directory");
      browser.find("#confirm button[value=no]").click();
      button.click();
      browser.find("#confirm button[value=yes]").click();
      browser.awaitTrue(
          "it is done", "return document.querySelector('.actions output').textContent !== ''");
      assertThat(browser.find(".actions output").getText())
          .startsWith("Write a dump: ")
          .doesNotContain("failed");
      assertThat(directory).isDirectoryContaining(path -> path.toString().contains("cistern-dump"));
      assertThat(directory.toFile().list((parent, name) -> !name.endsWith(".lock"))).hasSize(1);
    }
  }

  @Test
  void aPausedPageSendsNoRequests() throws Exception {
    browser.find("#pause").click();
    String count =
        "return performance.getEntriesByType('resource').filter(e => e.name.includes('/state'))"
            + ".length";
    assertThat(browser.find("#pause").getDomAttribute("aria-pressed")).isEqualTo("true");
    long before = browser.number(count);
    // Waits longer than the period of two seconds, because no event reports that nothing happens.
    browser.driver().executeAsyncScript("setTimeout(arguments[0], 2600)");
    assertThat(browser.number(count)).isEqualTo(before);
    browser.find("#pause").click();
    browser.awaitTrue("it resumes", count + " > " + before);
  }

  /**
   * The test binds the port but does not listen. Servers can bind it as well, because all of them
   * reuse addresses, but the system assigns the port to no other process.
   */
  @Test
  void whenTheExporterDoesNotRespondThePageSaysSinceWhenAndRecovers() throws Exception {
    try (Socket held = new Socket()) {
      held.setReuseAddress(true);
      held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      String listen = "127.0.0.1:" + held.getLocalPort();
      try (PageHost first = PageHost.on(listen, Reports.host())) {
        browser.open(first.address());
      }
      browser.awaitTrue(
          "it says so",
          "return document.getElementById('banner').innerText.includes('Cannot load new data')");
      assertThat(browser.find("#banner").getText())
          .containsPattern("from \\d\\d:\\d\\d:\\d\\d UTC");
      assertThat(browser.find("main").getText()).contains("com.shop.Cart.encode:42");
      try (PageHost again = PageHost.on(listen, Reports.host())) {
        assertThat(again.port()).isEqualTo(held.getLocalPort());
        browser.awaitTrue(
            "it recovers", "return document.getElementById('banner').innerText === ''");
      }
    }
  }
}
