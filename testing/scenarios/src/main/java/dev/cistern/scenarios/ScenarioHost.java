/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.scenarios;

import com.example.shop.Shop;
import com.example.shop.Workload;
import com.example.shop.Workloads;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The application of one scenario: {@code ScenarioHost <workload> [key=value]...}. It ends when its
 * standard input closes, and after 40 minutes.
 */
public final class ScenarioHost {
  private static final long MAX_MINUTES = 40;

  private ScenarioHost() {}

  /** Runs a workload. */
  public static void main(String[] words) throws Exception {
    Map<String, String> arguments = new HashMap<>();
    for (int i = 1; i < words.length; i++) {
      int equals = words[i].indexOf('=');
      arguments.put(words[i].substring(0, equals), words[i].substring(equals + 1));
    }
    Workload workload = Workloads.named(words[0]);
    endWithInput();
    Shop shop = new Shop(arguments);
    shop.open();
    workload.run(shop);
    TimeUnit.MINUTES.sleep(MAX_MINUTES);
    Runtime.getRuntime().halt(0);
  }

  private static void endWithInput() {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // waits for the end of the input
                }
              } catch (IOException e) {
                System.out.println("INPUT " + e);
              }
              Runtime.getRuntime().halt(0);
            },
            "end-with-input");
    thread.setDaemon(true);
    thread.start();
  }
}
