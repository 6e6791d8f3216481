/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.testing.Program;
import dev.cistern.testing.Tool;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.openqa.selenium.chrome.ChromeDriverService;

/**
 * A chromedriver that runs already, on a port that it chose. Selenium's own service takes a port
 * that was free a moment ago, which another process may have taken since.
 */
final class ChromeDriverProgram extends ChromeDriverService {
  private static final Pattern LISTENS = Pattern.compile("started successfully on port (\\d+)");

  private final Program program;

  private ChromeDriverProgram(File executable, Program program) throws IOException {
    super(executable, program.awaitPort(LISTENS), DEFAULT_TIMEOUT, List.of(), Map.of());
    this.program = program;
  }

  /** Starts a chromedriver; without one the test is skipped, or fails in CI. */
  static ChromeDriverProgram launch() throws IOException {
    String executable = Tool.path("chromedriver", "chromium-driver");
    Program program = Program.start("chromedriver", List.of(executable, "--port=0"));
    try {
      return new ChromeDriverProgram(new File(executable), program);
    } catch (IOException | RuntimeException | Error e) {
      program.close();
      throw e;
    }
  }

  @Override
  public boolean isRunning() {
    return program.isAlive();
  }

  /** Does nothing: the program runs already. */
  @Override
  public void start() {}

  @Override
  public void stop() {
    program.close();
  }
}
