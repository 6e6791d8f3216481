/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.awaitility.Awaitility.await;

import dev.cistern.testing.Tool;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.io.TemporaryFilesystem;

/** A headless Chromium from the Debian package; the test downloads nothing. */
public final class Browser implements AutoCloseable {
  /**
   * A name that resolves to this machine, but is not a loopback name: a client that uses it is not
   * trusted.
   */
  static final String FOREIGN_NAME = "elsewhere.test";

  static final int WIDTH = 1280;
  public static final int HEIGHT = 900;

  private static final Path SCREENSHOTS = Path.of("target", "screenshots");
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /**
   * Script that runs before the scripts of the page, and records violations of its security policy.
   */
  private static final String RECORDER =
      """
      window.violations = [];
      document.addEventListener('securitypolicyviolation', event =>
          window.violations.push(event.violatedDirective + ' ' + event.blockedURI));
      """;

  private static final TemporaryFilesystem TEMPORARY = TemporaryFilesystem.getDefaultTmpFS();

  private final ChromeDriver driver;
  private final File profile;

  private Browser(ChromeDriver driver, File profile) {
    this.driver = driver;
    this.profile = profile;
  }

  /** Starts a browser. Without Chromium the test is skipped, or fails in CI. */
  public static Browser start() {
    String chromium = Tool.path("chromium", "chromium");
    File profile = TEMPORARY.createTempDir("cistern", "browser");
    ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium);
    options.addArguments(
        "--headless=new",
        "--no-sandbox", // CI is root in a container
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--hide-scrollbars",
        "--lang=en",
        "--no-proxy-server",
        "--host-resolver-rules=MAP " + FOREIGN_NAME + " 127.0.0.1",
        "--user-data-dir=" + profile);
    Browser browser = new Browser(connect(options), profile);
    browser.command("Page.addScriptToEvaluateOnNewDocument", Map.of("source", RECORDER));
    browser.resize(WIDTH, HEIGHT);
    return browser;
  }

  private static ChromeDriver connect(ChromeOptions options) {
    ChromeDriverOnAnyPort service;
    try {
      service = ChromeDriverOnAnyPort.launch();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try {
      return new ChromeDriver(service, options);
    } catch (RuntimeException e) {
      service.stop();
      throw e;
    }
  }

  /** Opens a page, and returns when it shows the state of a host. */
  void open(String address) {
    driver.get(address);
    awaitTrue("the page is drawn", "return document.querySelector('main').ariaBusy === 'false'");
  }

  /** Opens a page without waiting for a state. */
  public void load(String address) {
    driver.get(address);
  }

  ChromeDriver driver() {
    return driver;
  }

  public Object script(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  public String text(String script, Object... arguments) {
    return String.valueOf(script(script, arguments));
  }

  public long number(String script, Object... arguments) {
    return ((Number) script(script, arguments)).longValue();
  }

  @SuppressWarnings("unchecked")
  public List<Object> list(String script, Object... arguments) {
    return (List<Object>) script(script, arguments);
  }

  WebElement find(String selector) {
    return driver.findElement(By.cssSelector(selector));
  }

  List<WebElement> all(String selector) {
    return driver.findElements(By.cssSelector(selector));
  }

  /** Waits until a script returns true. */
  public void awaitTrue(String what, String script, Object... arguments) {
    await(what)
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(50))
        .ignoreException(StaleElementReferenceException.class)
        .until(() -> Boolean.TRUE.equals(script(script, arguments)));
  }

  /** Waits until a selector matches an element. */
  void awaitPresent(String selector) {
    awaitTrue(selector, "return document.querySelector(arguments[0]) !== null", selector);
  }

  void command(String command, Map<String, Object> parameters) {
    Object unused = driver.executeCdpCommand(command, parameters);
  }

  /** Sets the inner size of the window, which can be narrower than a real window. */
  public void resize(int width, int height) {
    command(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /**
   * @param scheme {@code light} or {@code dark}
   */
  void prefer(String scheme) {
    Map<String, String> feature = Map.of("name", "prefers-color-scheme", "value", scheme);
    command("Emulation.setEmulatedMedia", Map.of("features", List.of(feature)));
  }

  /** Saves a picture of the whole page for reviewers. */
  public Path screenshot(String name) {
    int width = (int) number("return innerWidth");
    resize(width, (int) number("return Math.max(500, document.documentElement.scrollHeight)"));
    awaitTrue(
        "drawn",
        "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");
    try {
      Files.createDirectories(SCREENSHOTS);
      return Files.write(
          SCREENSHOTS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      resize(width, HEIGHT);
    }
  }

  @Override
  public void close() {
    driver.quit();
    TEMPORARY.deleteTempDir(profile);
  }
}
