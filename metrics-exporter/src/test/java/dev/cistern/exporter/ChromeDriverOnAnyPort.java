/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.awaitility.Awaitility.await;

import dev.cistern.testing.Tool;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.openqa.selenium.chrome.ChromeDriverService;

/**
 * A chromedriver that binds port 0 and prints the chosen port. Selenium's own service chooses a
 * port that was free a moment before, which another process can take in the meantime.
 */
final class ChromeDriverOnAnyPort extends ChromeDriverService {
  private static final Pattern LISTENS = Pattern.compile("started successfully on port (\\d+)");
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private final ByteArrayOutputStream output;

  private ChromeDriverOnAnyPort(File executable, ByteArrayOutputStream output) throws IOException {
    super(executable, 0, START_LIMIT, List.of("--port=0"), Map.of());
    this.output = output;
    sendOutputTo(output);
  }

  /** Starts a chromedriver. Without one the test is skipped, or fails in CI. */
  static ChromeDriverOnAnyPort launch() throws IOException {
    File executable = new File(Tool.path("chromedriver", "chromium-driver"));
    ChromeDriverOnAnyPort service =
        new ChromeDriverOnAnyPort(executable, new ByteArrayOutputStream());
    service.start();
    return service;
  }

  private int port() {
    Matcher printed = LISTENS.matcher(output.toString(StandardCharsets.UTF_8));
    return printed.find() ? Integer.parseInt(printed.group(1)) : 0;
  }

  @Override
  protected void waitUntilAvailable() {
    await("chromedriver names its port").atMost(START_LIMIT).until(() -> port() > 0);
  }

  @Override
  public URL getUrl() {
    try {
      return getUrl(port());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns false: the chromedriver does not listen at the address that Selenium knows, so Selenium
   * must end the process.
   */
  @Override
  protected boolean hasShutdownEndpoint() {
    return false;
  }
}
