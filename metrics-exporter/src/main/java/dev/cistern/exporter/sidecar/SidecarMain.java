/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import dev.cistern.exporter.web.WebConfigException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** The command {@code java -jar cistern-exporter.jar}. */
public final class SidecarMain {
  private static final int FAILED = 1;
  private static final int USAGE = 2;

  private SidecarMain() {}

  /**
   * Runs until the process is terminated.
   *
   * @param options see {@code --help}
   */
  public static void main(String[] options) throws InterruptedException {
    int status = run(List.of(options), System.getenv(), System.err);
    if (status != 0) {
      System.exit(status);
    }
  }

  static int run(List<String> options, Map<String, String> environment, PrintStream err)
      throws InterruptedException {
    if (options.contains("--help") || options.contains("-h")) {
      System.out.print(usage());
      return 0;
    }
    try {
      SidecarConfig config = SidecarConfig.read(options, environment);
      Consumer<String> log = line -> err.println("cistern-exporter: " + line);
      Sidecar sidecar = Sidecar.start(config, log);
      Runtime.getRuntime().addShutdownHook(new Thread(sidecar::close, "cistern-exporter-end"));
      new CountDownLatch(1).await();
      return 0;
    } catch (SidecarConfig.BadSettingException e) {
      err.println("cistern-exporter: " + e.getMessage());
      err.print(usage());
      return USAGE;
    } catch (WebConfigException e) {
      err.println("cistern-exporter: " + SidecarSetting.WEB_CONFIG.key() + ": " + e.getMessage());
      return FAILED;
    } catch (IOException | IllegalArgumentException e) {
      err.println("cistern-exporter: " + e.getMessage());
      return FAILED;
    }
  }

  /** Returns one line for each setting. */
  static String usage() {
    StringBuilder usage = new StringBuilder(512);
    usage.append(
        "usage: java -jar cistern-exporter.jar [--statsDirectory DIR] [--option value]...\n\n");
    usage.append(
        "Serves the metrics and leaks of all JVMs that write their stats files to DIR, and\n");
    usage.append(
        "keeps what those leave that end. Each option can also be given as an environment\n");
    usage.append("variable, or in the YAML file that --config names.\n\n");
    for (SidecarSetting setting : SidecarSetting.values()) {
      usage.append("  --").append(setting.key()).append("  (").append(setting.environment());
      usage.append(")\n      ").append(setting.meaning()).append(".\n      ");
      usage.append(setting.allowed()).append("; by default ");
      usage.append(setting.defaultText()).append('\n');
    }
    return usage.toString();
  }
}
