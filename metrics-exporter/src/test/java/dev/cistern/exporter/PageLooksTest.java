/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.finding.Diagnosed;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveStack;
import dev.cistern.stats.NettyReport;
import dev.cistern.stats.PoolSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The appearance of the page: light and dark, wide and narrow, with one host and with several. */
@Tag("full")
class PageLooksTest {
  private static final int NARROW = 400;
  private static final String DIED = "dead00000000beef";

  /** The minimum contrast of text at level AA of WCAG. */
  private static final double MIN_CONTRAST = 4.5;

  /**
   * Script that returns the texts with a lower contrast, from the relative luminances of text and
   * background (WCAG 2.2).
   */
  private static final String CONTRAST =
      """
      const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
      const luminance = color => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(v => v / 255)
            .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ground = e => {
        const color = getComputedStyle(e).backgroundColor;
        return color !== 'rgba(0, 0, 0, 0)' ? color : ground(e.parentElement);
      };
      return [...document.querySelectorAll('body *')]
          .filter(e => e.checkVisibility() && !e.closest('svg, .uplot')
              && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()))
          .map(e => {
            const [a, b] = [luminance(getComputedStyle(e).color), luminance(ground(e))];
            return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.outerHTML.slice(0, 120)];
          })
          .filter(([contrast]) => contrast < arguments[0]).map(String);
      """;

  private static Browser browser;

  /** Content of the pictures, each for a laptop and for a phone. */
  private enum Picture {
    HEALTHY("No problem found"),
    LEAKING("Buffers of com.shop.Cart.encode:42"),
    OBSERVED("No problem found"),
    DEAD("The process was killed or has crashed"),
    NEARLY_FULL("direct memory are used"),
    HOLDING("Slices keep buffers of com.shop.Upload.read:17"),
    FLEET("200 processes, 200 shown");

    private final String says;

    Picture(String says) {
      this.says = says;
    }

    PageHost host() throws Exception {
      return switch (this) {
        case HEALTHY -> PageHost.of(diagnosed(calm("swap", 0, 1L << 30))).withHour(0.7);
        case LEAKING -> PageHost.of(diagnosed(leaking())).withHour(0.1);
        case OBSERVED -> PageHost.of(diagnosed(Reports.observed())).withHour(0.9);
        case DEAD -> PageHost.among(diagnosed(leaking()), () -> List.of(dead())).withHour(0.02);
        case NEARLY_FULL ->
            PageHost.of(diagnosed(calm("swap", 400_000_000, 430_000_000))).withHour(0.3);
        case HOLDING ->
            PageHost.of(diagnosed(Holders.watched(calm("swap", 0, 1L << 30)))).withHour(0.7);
        case FLEET -> PageHost.among(diagnosed(leaking()), PageLooksTest::others);
      };
    }

    String address(PageHost host) {
      return host.address() + (this == DEAD ? "#host=" + DIED : "");
    }
  }

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

  @AfterEach
  void reset() {
    browser.prefer("light");
    browser.resize(Browser.WIDTH, Browser.HEIGHT);
  }

  /** Returns a copy without problems, except for its limit. */
  private static PoolReport calm(String mode, long base, long limitBytes) {
    PoolSnapshot pool = Reports.calm("direct", base, limitBytes);
    CallStack stack = Reports.stack("direct", "com.shop.Cart.encode:42", 1, 1 << 20).stack();
    LiveStack live =
        new LiveStack(
            "direct", stack, Reports.NOON_MILLIS - 4_000, 0, Reports.estimate(9, 1 << 20));
    return new PoolReport(
        "io.netty",
        "4.1.135.Final",
        mode,
        "",
        List.of(pool),
        123_456,
        0,
        0,
        LeakReport.EMPTY,
        Reports.live(List.of(live), List.of()),
        NettyReport.NONE,
        ModeChange.UNKNOWN,
        List.of());
  }

  private static HostReport diagnosed(PoolReport... copies) {
    return Diagnosed.of(Reports.host(copies));
  }

  private static PoolReport leaking() {
    PoolReport known = Reports.copy("io.netty", Reports.leaks());
    return new PoolReport(
        known.pool(),
        known.version(),
        known.mode(),
        known.reason(),
        List.of(Reports.calm("direct", 0, 1L << 30)),
        known.served(),
        0,
        0,
        known.leaks(),
        known.live(),
        NettyReport.NONE,
        ModeChange.UNKNOWN,
        List.of());
  }

  private static HostView dead() {
    HostIdentity died =
        new HostIdentity(
            DIED, "checkout", "checkout-7d4b", "main", 1, "0.1.0", Reports.NOON_MILLIS);
    return state(died, HostView.State.DIED, leaking());
  }

  private static HostView state(HostIdentity identity, HostView.State state, PoolReport... copies) {
    long seen = Reports.NOON_MILLIS + 200_000;
    return HostView.of(Diagnosed.of(new HostReport(identity, seen, 0, List.of(copies))))
        .with(state, seen);
  }

  /** Returns 199 processes of five applications, in all states. */
  private static List<HostView> others() {
    List<HostView> all = new ArrayList<>(List.of(dead()));
    String[] applications = {"checkout", "catalogue", "search", "mail", ""};
    for (int i = 1; i < 199; i++) {
      HostIdentity identity =
          new HostIdentity(
              String.format("%016x", 0xabc000 + i),
              applications[i % applications.length],
              "pod-" + i,
              "main",
              i,
              "0.1.0",
              Reports.NOON_MILLIS - 60_000L * i);
      boolean isFull = i % 33 == 0;
      PoolReport well = calm("swap", isFull ? 400_000_000 : 0, isFull ? 430_000_000 : 1L << 30);
      PoolReport copy = i % 40 == 0 ? leaking() : well;
      HostView.State state = i % 50 == 0 ? HostView.State.EXITED : HostView.State.UP;
      all.add(state(identity, state, copy));
    }
    return all;
  }

  @ParameterizedTest
  @EnumSource(Picture.class)
  void itIsReadableInTenSecondsOnALaptopAndOnAPhone(Picture picture) throws Exception {
    try (PageHost host = picture.host()) {
      browser.open(picture.address(host));
      browser.awaitTrue(
          "it says so", "return document.body.innerText.includes(arguments[0])", picture.says);
      String name = "page-" + picture.name().toLowerCase(Locale.ROOT).replace('_', '-');
      if (picture != Picture.FLEET) {
        browser.awaitPresent(".flame .frame, #sites .empty, #sites .refusal");
        browser.awaitPresent("#memory-direct .chart canvas");
        assertIsOnTheFirstScreen(".verdict");
        assertIsOnTheFirstScreen(".card .bar");
      }
      if (picture == Picture.HOLDING) {
        browser.find("#tab-held").click();
        browser.awaitPresent("#panel-held:not([hidden]) .holder");
        browser.script("document.querySelector('.holder').open = true");
      }
      assertThat(browser.list(CONTRAST, MIN_CONTRAST)).isEmpty();
      assertThat(browser.screenshot(name)).isRegularFile();
      browser.prefer("dark");
      assertThat(browser.list(CONTRAST, MIN_CONTRAST)).isEmpty();
      assertThat(browser.screenshot(name + "-dark")).isRegularFile();
      browser.prefer("light");
      browser.resize(NARROW, Browser.HEIGHT);
      if (picture != Picture.FLEET) {
        assertIsOnTheFirstScreen(".verdict");
        assertIsOnTheFirstScreen(".card .bar");
      }
      assertNothingIsCutOff();
      assertThat(browser.screenshot(name + "-phone")).isRegularFile();
    }
  }

  private static void assertIsOnTheFirstScreen(String selector) {
    assertThat(
            browser.number(
                "return document.querySelector(arguments[0]).getBoundingClientRect().bottom",
                selector))
        .as(selector)
        .isLessThan(Browser.HEIGHT);
  }

  private static void assertNothingIsCutOff() {
    assertThat(
            browser.list(
                "return [...document.querySelectorAll('body *')].filter(e => e.checkVisibility()"
                    + " && !e.closest('.uplot, .scroll')"
                    + " && e.getBoundingClientRect().right > innerWidth + 1)"
                    + ".map(e => e.outerHTML.slice(0, 100))"))
        .isEmpty();
    assertThat(browser.number("return document.documentElement.scrollWidth"))
        .isLessThanOrEqualTo(NARROW);
  }

  private static String ground() {
    return browser.text("return getComputedStyle(document.body).backgroundColor");
  }

  @Test
  void theChoiceOfAThemeBeatsTheSystemsAndIsRemembered() throws Exception {
    try (PageHost host = PageHost.of(Reports.host())) {
      browser.prefer("dark");
      browser.open(host.address());
      String dark = ground();
      browser.find("#theme").click();
      assertThat(browser.find("#theme").getText()).isEqualTo("Theme: light");
      assertThat(ground()).isNotEqualTo(dark);
      browser.open(host.address());
      assertThat(ground()).isNotEqualTo(dark);
      browser.find("#theme").click();
      assertThat(ground()).isEqualTo(dark);
      browser.find("#theme").click();
      assertThat(browser.find("#theme").getText()).isEqualTo("Theme: auto");
    }
  }

  @Test
  void processesAtRiskAreFirstAndEachCanBeChosenAndCompared() throws Exception {
    try (PageHost many = Picture.FLEET.host()) {
      browser.open(many.address());
      assertThat(browser.find(".hosts td.what").getText()).contains("direct memory are used");
      assertThat(browser.all(".hosts tr.critical td.what"))
          .anyMatch(what -> what.getText().contains("was killed"));
      assertThat(browser.all(".fleet .card")).hasSize(6);
      browser.find("#filter").sendKeys("checkout-7d4b");
      browser.awaitTrue(
          "one is left", "return document.querySelectorAll('.hosts tbody tr').length === 1");
      browser.find(".hosts th a").click();
      browser.awaitTrue(
          "it is shown", "return document.querySelector('h1').innerText.startsWith('checkout')");
      assertThat(browser.find("#who").getText())
          .contains("checkout-7d4b", "died", "all 200 processes");
      browser.find(".actions a[href^='#pair']").click();
      browser.find("#filter").clear();
      browser.find("#filter").sendKeys("pod-17");
      browser.awaitPresent(".hosts tbody tr");
      browser.find(".hosts th a").click();
      browser.awaitTrue(
          "two are shown", "return document.querySelectorAll('.pair > div').length === 2");
      assertThat(browser.screenshot("page-pair")).isRegularFile();
      browser.load(many.address() + "#host=ffffffffffffffff");
      browser.awaitTrue("it says so", "return document.body.innerText.includes('no such process')");
    }
  }

  @Test
  void missingDataIsNamed() throws Exception {
    try (PageHost empty = PageHost.of(Reports.host(new PoolReport[0]))) {
      browser.open(empty.address());
      assertThat(browser.find("main").getText()).contains("No diagnosis", "makes no diagnosis");
      empty.show(Reports.host(calm("swap", 0, 1L << 30)));
      browser.awaitPresent("#memory-direct");
    }
  }
}
