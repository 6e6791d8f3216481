/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** What people see and do at {@code /}, in a browser, with the figures of real pools. */
@Tag("full")
class PageTest {
  private static final String LEAK = ".leaks details[data-site='com.shop.Cart.encode:42']";

  /** Marks what has the focus, and says how it shows that it has it. */
  private static final String FOCUSED =
      """
      const e = document.activeElement;
      if (e === document.body) return 'BODY';
      if (e.dataset.reached) return 'again';
      e.dataset.reached = 1;
      const s = getComputedStyle(e);
      return e.tagName + ' ' + s.outlineStyle + ' ' + parseInt(s.outlineWidth);
      """;

  private static Browser browser;
  private static PageHost host;

  @BeforeAll
  static void start() throws Exception {
    browser = Browser.start();
    host = PageHost.loaded();
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

  /** A figure as the page shows it. */
  private record Shown(String series, double value, String text) {}

  private static List<Shown> shown() {
    List<Shown> figures = new ArrayList<>();
    for (Object row :
        browser.list(
            "return [...document.querySelectorAll('data[data-series]')].map(e =>"
                + " [e.dataset.series, e.value, e.textContent])")) {
      List<?> figure = (List<?>) row;
      figures.add(
          new Shown(
              (String) figure.get(0),
              Double.parseDouble((String) figure.get(1)),
              (String) figure.get(2)));
    }
    return figures;
  }

  @Test
  void whatItShowsEqualsAScrape() {
    Map<String, Double> scraped = Scrape.fullSeries(new CisternCollector(host, PageHost.OPTIONS));
    List<Shown> shown = shown();
    assertThat(shown).hasSizeGreaterThan(100);
    for (Shown figure : shown) {
      assertThat(scraped).containsKey(figure.series());
      assertThat(figure.value())
          .as(figure.series())
          .isCloseTo(scraped.get(figure.series()), within(0.5)); // an estimate is shown rounded
      assertReads(figure);
    }
    for (String pool : List.of("busy", "io.netty", "still")) {
      for (String name : List.of("reserved_bytes", "pinned_bytes", "cached_bytes", "free_bytes")) {
        String labels = "memory=\"heap\",pool=\"" + pool + "\"}";
        assertThat(shown)
            .extracting(Shown::series)
            .anyMatch(series -> series.startsWith("cistern_" + name) && series.endsWith(labels));
      }
    }
  }

  @Test
  void residentMemoryIsBesideTheReservedIfItIsKnown() {
    assertThat(shown())
        .filteredOn(figure -> figure.series().startsWith("cistern_resident_bytes{"))
        .anyMatch(
            figure -> figure.series().contains("pool=\"io.netty\"") && figure.value() == 12 << 20)
        .noneMatch(figure -> figure.series().contains("memory=\"heap\""));
    String direct = "section[aria-label='direct memory of io.netty'] dl";
    assertThat(browser.find(direct).getText()).contains("resident", "allocated by", "mmap_jdk");
    String heap = "section[aria-label='heap memory of io.netty'] dl";
    assertThat(browser.find(heap).getText()).doesNotContain("resident", "allocated by");
  }

  /** The text says what the value says: a count in full, bytes to a tenth of their unit. */
  private static void assertReads(Shown figure) {
    String[] words = figure.text().split(" ", -1);
    double number = Double.parseDouble(words[0].replace(",", ""));
    if (words.length == 1) {
      assertThat(number).as(figure.toString()).isEqualTo(figure.value());
    } else {
      double unit = Math.pow(1024, List.of("B", "KiB", "MiB", "GiB", "TiB").indexOf(words[1]));
      assertThat(number * unit)
          .as(figure.toString())
          .isCloseTo(figure.value(), within(0.051 * unit));
    }
  }

  @Test
  void theMapHasACellForEachChunkAndEachSaysItsUsage() {
    long cells = browser.number("return document.querySelectorAll('.cell').length");
    long expected = 0;
    for (CopyChunks chunks : host.chunks()) {
      for (int arena = 0; arena < chunks.map().arenas(); arena++) {
        expected += chunks.map().listed(arena);
      }
    }
    assertThat(cells).isEqualTo(expected).isGreaterThan(10);
    String still = "section[aria-label='heap memory of still'] ";
    CopyChunks map = host.chunks().get(2);
    int at = map.map().listed(0) > 0 ? 0 : 1;
    assertThat(browser.find(still + ".cell").getDomAttribute("data-usage"))
        .isEqualTo(Integer.toString(map.map().usage(at, 0)));
    // A host whose chunks are not told shows its bands by arena.
    String told = "section[aria-label='heap memory of io.netty'] ";
    assertThat(browser.all(told + ".cell")).isEmpty();
    assertThat(browser.all(told + ".bands tbody tr")).hasSize(3);
  }

  @Test
  void eachArenaIsABar() {
    String pool = "section[aria-label='heap memory of still'] .arenas ";
    assertThat(browser.all(pool + "svg[aria-label*='pinned']")).hasSizeGreaterThanOrEqualTo(2);
    browser.awaitPresent(".chart canvas"); // with the second answer: a point is no line
    assertThat(browser.all(".chart canvas")).hasSize(2 * browser.all("section.pool").size());
    assertThat(browser.find("[data-chart=memory]").getDomAttribute("aria-label"))
        .contains("direct memory", "reserved: now 20.0 MiB");
  }

  @Test
  void theFilterLeavesTheSitesThatContainIt() {
    WebElement filter = browser.find("#filter");
    browser.find("body").sendKeys("/");
    assertThat(browser.driver().switchTo().activeElement()).isEqualTo(filter);
    filter.sendKeys("oRdEr");
    browser.awaitTrue(
        "one site is left",
        "return [...document.querySelectorAll('.site')].map(e => e.dataset.site).join() ==="
            + " 'com.shop.Order.<init>:7'");
    assertThat(browser.text("return document.body.innerText"))
        .contains("No site here contains")
        .contains("oRdEr");
    filter.sendKeys(Keys.ESCAPE);
    browser.awaitPresent(LEAK);
    assertThat(filter.getDomProperty("value")).isEmpty();
  }

  @Test
  void aStackOpensAndIsCopied() {
    browser.find(LEAK + " > summary").sendKeys(Keys.ENTER);
    browser.awaitPresent(LEAK + " pre.frames");
    WebElement leak = browser.find(LEAK);
    assertThat(leak.getText())
        .contains("at com.shop.Cart.encode(Source.java:42)", "at com.shop.Server.handle")
        .contains("1 frame of Netty, the JDK and Cistern", "9 outer frames not kept")
        .contains("The latest: pooled, 2.0 KiB asked for");
    for (boolean hasClipboard : new boolean[] {true, false}) {
      // A page from another machine over http has no clipboard, and copies in the older way.
      browser.script(
          "Object.defineProperty(window, 'isSecureContext', {value: arguments[0], configurable: true});",
          hasClipboard);
      WebElement button = browser.find(LEAK + " button.copy");
      browser.script( // a busy machine may be too slow to see the word while it stands there
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
          .startsWith("at io.netty.buffer.AbstractByteBufAllocator.buffer(")
          .contains("at com.shop.Cart.encode(Source.java:42)\n")
          .endsWith("at com.shop.Server.handle(Unknown Source)\n");
    }
  }

  /** What is in the clipboard, by way of a paste. */
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
  void theStacksOfALiveSiteOpenToo() {
    String site = ".sites.live details[data-site='com.shop.Cart.encode:42']";
    browser.find(site + " > summary").click();
    browser.awaitPresent(site + " pre.frames");
    assertThat(browser.all(site + " .stack")).hasSize(2);
    assertThat(browser.find(site).getText()).contains("suspect").contains("+683.6 KiB");
  }

  @Test
  void allOfItCanBeReachedByKeyboardAndIsSeenThere() {
    browser.find(LEAK + " > summary").sendKeys(Keys.ENTER);
    browser.awaitPresent(LEAK + " pre.frames");
    browser.find("#pause").click(); // nothing is to come while the walk goes on
    List<String> unseen = new ArrayList<>();
    // From the button on: to the end, through the browser's own parts, and from the start to it.
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
            "return [...document.querySelectorAll('a, button, input, summary')].filter(e =>"
                + " e.checkVisibility() && !e.dataset.reached).map(e => e.outerHTML)");
    assertThat(missed).isEmpty();
    assertThat(unseen).isEmpty();
    assertThat(browser.all("[data-reached]")).hasSizeGreaterThan(20);
  }

  @Test
  void aRefreshKeepsScrollFocusFilterAndOpenStacks() throws Exception {
    try (PageHost changing = PageHost.of(Reports.host())) {
      browser.open(changing.address());
      browser.find("#filter").sendKeys("com.shop");
      browser.find(LEAK + " > summary").sendKeys(Keys.ENTER);
      browser.awaitPresent(LEAK + " pre.frames");
      browser.script("scrollTo(0, 300)");
      // What is looked at stays where it is, also when something above it grows by a line.
      String seen = "return document.querySelector('.sites.live').getBoundingClientRect().top";
      double top = ((Number) browser.script(seen)).doubleValue();
      // Another site overtakes the one that is open.
      changing.show(
          Reports.host(
              Reports.copy(
                  "io.netty",
                  Reports.leaks(
                      List.of(
                          Reports.entry("direct", "com.shop.Cart.encode:42", 5, 1_600_000),
                          Reports.entry("heap", "com.shop.Order.<init>:7", 9, 99_000_000))))));
      browser.awaitTrue(
          "the other is first",
          "return document.querySelector('.leaks .site').dataset.site.includes('Order')");
      assertThat(browser.script("return document.querySelector(arguments[0]).open", LEAK))
          .isEqualTo(true);
      assertThat(browser.find(LEAK + " data").getText()).isEqualTo("5");
      assertThat(
              browser.script(
                  "return document.activeElement === document.querySelector(arguments[0])",
                  LEAK + " > summary"))
          .isEqualTo(true);
      assertThat(browser.find("#filter").getDomProperty("value")).isEqualTo("com.shop");
      assertThat(((Number) browser.script(seen)).doubleValue()).isCloseTo(top, within(1.0));
      assertThat(browser.number("return scrollY")).isGreaterThanOrEqualTo(300);
    }
  }

  @Test
  void aPausedPageAsksForNothing() throws Exception {
    browser.find("#pause").click();
    String asked =
        "return performance.getEntriesByType('resource').filter(e => e.name.includes('/state'))"
            + ".length";
    assertThat(browser.find("#pulse").getText()).startsWith("paused");
    long before = browser.number(asked);
    // Longer than the period of two seconds; there is no event that says that nothing happens.
    browser.driver().executeAsyncScript("setTimeout(arguments[0], 2600)");
    assertThat(browser.number(asked)).isEqualTo(before);
    browser.find("#pause").click();
    browser.awaitTrue("it goes on", asked + " > " + before);
    assertThat(browser.find("#pulse").getText().toLowerCase(Locale.ROOT)).startsWith("live");
  }

  /**
   * The test has the port bound but does not listen: servers can bind it as well, since all reuse
   * addresses, but the system gives it to no other process.
   */
  @Test
  void whenTheExporterDoesNotAnswerThePageSaysSinceWhenAndRecovers() throws Exception {
    try (Socket held = new Socket()) {
      held.setReuseAddress(true);
      held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      String listen = "127.0.0.1:" + held.getLocalPort();
      try (PageHost first = PageHost.on(listen, Reports.host())) {
        browser.open(first.address());
      }
      browser.awaitTrue(
          "it says so", "return document.getElementById('banner').innerText.includes('No answer')");
      assertThat(browser.find("#banner").getText()).containsPattern("is from \\d\\d:\\d\\d:\\d\\d");
      assertThat(browser.find("main").getText()).contains("io.netty");
      try (PageHost again = PageHost.on(listen, Reports.host())) {
        assertThat(again.port()).isEqualTo(held.getLocalPort());
        browser.awaitTrue(
            "it recovers", "return document.getElementById('banner').innerText === ''");
      }
    }
  }
}
