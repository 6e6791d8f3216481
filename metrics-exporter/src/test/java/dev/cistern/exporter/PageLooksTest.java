/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveReport;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the page looks: bright and dark, wide and narrow, with one host and with several. */
@Tag("full")
class PageLooksTest {
  private static final int NARROW = 400;
  private static final String DIED = "dead00000000beef";
  private static final String EXITED = "0e00000000000001";

  /** The least contrast of text that the WCAG's level AA asks for. */
  private static final double LEAST_CONTRAST = 4.5;

  /** Of the relative luminances of a text and its ground (WCAG 2.2). */
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

  @AfterEach
  void reset() {
    browser.prefer("light");
    browser.resize(Browser.WIDTH, Browser.HEIGHT);
  }

  private static void openALeak() {
    browser.script("document.querySelector('.leaks details > summary').click()");
    browser.awaitPresent(".leaks pre.frames");
    browser.script(
        "document.querySelectorAll('.leaks .trail').forEach(e => e.closest('details').open = true)");
  }

  private static String ground() {
    return browser.text("return getComputedStyle(document.body).backgroundColor");
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void itIsLegibleInBothThemes(String scheme) {
    browser.prefer(scheme);
    browser.open(host.address());
    openALeak();
    browser.awaitTrue( // two points make a line
        "a line",
        "return parseInt(document.querySelector('[data-chart]').ariaLabel?.match(/the last (\\d+) s/)?.[1]) > 0");
    assertThat(browser.screenshot("page-" + scheme)).isRegularFile();
    browser.script(
        "for (let u = 0; u <= 10; u++) document.querySelector('.cells').append("
            + "Object.assign(document.createElement('i'), {className: 'cell u' + u, textContent: u}))");
    assertThat(ground())
        .isEqualTo(scheme.equals("light") ? "rgb(244, 246, 249)" : "rgb(17, 21, 27)");
    assertThat(browser.list(CONTRAST, LEAST_CONTRAST)).isEmpty();
  }

  @Test
  void theChoiceOfAThemeBeatsTheSystemsAndIsRemembered() {
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

  @Test
  void aNarrowWindowCutsNothingOff() {
    browser.resize(NARROW, Browser.HEIGHT);
    browser.open(host.address());
    openALeak();
    assertNothingIsCutOff();
    assertThat(browser.screenshot("page-narrow")).isRegularFile();
  }

  private static void assertNothingIsCutOff() {
    assertThat(
            browser.list(
                "return [...document.querySelectorAll('body *')].filter(e => e.checkVisibility()"
                    + " && !e.closest('.uplot')"
                    + " && e.getBoundingClientRect().right > innerWidth + 1)"
                    + ".map(e => e.outerHTML.slice(0, 100))"))
        .isEmpty();
    assertThat(browser.number("return document.documentElement.scrollWidth"))
        .isLessThanOrEqualTo(NARROW);
  }

  /** Two hosts beside the one that lives: one that died, one that has shut down. */
  private static List<HostState> others() {
    HostIdentity died =
        new HostIdentity(
            DIED, "checkout", "checkout-7d4b", "main", 1, "0.1.0", Reports.NOON_MILLIS);
    HostIdentity exited =
        new HostIdentity(EXITED, "", "batch-1", "", 17, "0.1.0", Reports.NOON_MILLIS);
    return List.of(
        state(died, HostState.State.DIED, Reports.copy("io.netty", Reports.leaks())),
        state(exited, HostState.State.EXITED));
  }

  private static HostState state(
      HostIdentity identity, HostState.State state, CopyReport... copies) {
    long seen = Reports.NOON_MILLIS + 200_000;
    return new HostState(new HostReport(identity, seen, 0, List.of(copies)), state, seen);
  }

  @Test
  void ofSeveralHostsEachCanBeChosen() throws Exception {
    try (PageHost many = PageHost.loaded(PageLooksTest::others)) {
      browser.open(many.address());
      assertThat(names()).containsExactly("loaded", "checkout", "batch-1");
      assertThat(browser.find("h1").getText()).isEqualTo("Cistern loaded");
      assertThat(browser.find(".hosts").getText()).contains("died", "exited", " ago");
      browser.find("a[href='?host=" + DIED + "']").click();
      browser.awaitTrue(
          "it is shown", "return document.querySelector('h1').innerText === 'Cistern checkout'");
      assertThat(browser.driver().getCurrentUrl()).endsWith("?host=" + DIED);
      assertThat(browser.find("#banner").getText()).contains("died without a word");
      assertThat(browser.find("#banner a").getDomAttribute("href"))
          .isEqualTo("postmortem/" + DIED + "/");
      assertThat(browser.screenshot("page-sidecar")).isRegularFile();
      browser.resize(NARROW, Browser.HEIGHT);
      assertNothingIsCutOff();
      browser.driver().navigate().back();
      browser.awaitTrue(
          "back", "return document.querySelector('h1').innerText === 'Cistern loaded'");
      browser.open(many.address() + "?host=" + EXITED);
      assertThat(browser.find("main").getText()).contains("No pool yet");
      browser.open(many.address() + "?host=ffffffffffffffff");
      assertThat(browser.find("main").getText()).contains("That host is not known any more");
    }
  }

  private static List<String> names() {
    List<String> names = new ArrayList<>();
    browser.all(".hosts th[scope=row] a").forEach(link -> names.add(link.getText()));
    return names;
  }

  @Test
  void whatIsNotThereYetIsSaid() throws Exception {
    try (PageHost empty = PageHost.of(Reports.host(new CopyReport[0]))) {
      browser.open(empty.address());
      assertThat(browser.find("main").getText()).contains("No pool yet");
      CopyReport quiet =
          new CopyReport(
              "io.netty",
              "4.1.135.Final",
              "swap",
              "",
              List.of(Reports.snapshot("heap", 0, 1)),
              0,
              0,
              0,
              LeakReport.EMPTY,
              LiveReport.EMPTY);
      empty.show(Reports.host(quiet));
      browser.awaitPresent("section.pool");
      assertThat(browser.find("main").getText())
          .contains("No leak found", "Nothing that was sampled is in use", "none found");
      assertThat(browser.screenshot("page-quiet")).isRegularFile();
    }
  }
}
