/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.testcontainers.containers.GenericContainer;

/**
 * Short-lived hosts in containers, the sidecar that exports their metrics, and a Prometheus that
 * scrapes the sidecar.
 */
@Timeout(180)
class StackIT {
  private static final Duration SOON = Duration.ofSeconds(15);
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Pattern HOST =
      Pattern.compile("cistern_host_info\\{application=\"([^\"]+)\"[^}]*,host_id=\"([^\"]+)\"");
  private static final String LEAK_SITE = "example.app.Leaks.forgetToRelease";
  private static final int LEAKED_BYTES = 64 * 16_384;

  private static Stack stack;
  private static String demo;
  private static String agentImage;
  private static String agent;
  private static String sidecarImage;
  private static GenericContainer<?> sidecar;
  private static GenericContainer<?> prometheus;

  @BeforeAll
  @Timeout(600)
  static void start() throws Exception {
    Docker.require();
    agentImage = Docker.build("agent", Docker.base("BASE_SMALL"));
    demo = Docker.build("demo", Docker.base("BASE_JRE"));
    sidecarImage = Docker.build("sidecar", Docker.base("BASE_JRE"));
    stack = new Stack();
    agent = stack.agent(agentImage);
    sidecar = stack.sidecar(sidecarImage);
    prometheus = stack.prometheus(Docker.base("PROMETHEUS_IMAGE"));
  }

  @AfterAll
  static void stop() throws Exception {
    if (stack != null) {
      stack.stop();
    }
  }

  @AfterEach
  void theSidecarIsAliveAndRefusedNothing() throws Exception {
    assertThat(sidecar.isRunning()).isTrue();
    assertThat(metrics()).contains("cistern_sidecar_files_refused 0");
    assertThat(metrics()).contains("cistern_sidecar_failures_total 0");
    assertThat(sidecar.getLogs()).doesNotContain("Exception").doesNotContain("cannot write");
  }

  private static String metrics() throws Exception {
    return stack.get(sidecar, Stack.SIDECAR_PORT, "/metrics").body();
  }

  private static String postMortem(String id) throws Exception {
    return stack.get(sidecar, Stack.SIDECAR_PORT, "/postmortem/" + id + "/").body();
  }

  /** Returns the value of a metric of a host, as the sum of its series; NaN if there is none. */
  private static double value(String metric, String id) throws Exception {
    return metrics()
        .lines()
        .filter(line -> line.startsWith(metric + "{") && line.contains("host_id=\"" + id + "\""))
        .map(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .reduce(Double::sum)
        .orElse(Double.NaN);
  }

  private static String id(String application) {
    return await()
        .atMost(LIMIT)
        .until(
            () -> {
              String metrics = metrics();
              Matcher host = HOST.matcher(metrics);
              while (host.find()) {
                if (host.group(1).equals(application)) {
                  return host.group(2);
                }
              }
              return "";
            },
            found -> !found.isEmpty());
  }

  /** Makes a host leak buffers until the sidecar shows the leak. */
  private static void leak(GenericContainer<?> host, String id) {
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              assertThat(
                      stack.get(host, Stack.APPLICATION_PORT, "/leak?count=64&size=16384").body())
                  .contains("leaked");
              stack.get(host, Stack.APPLICATION_PORT, "/gc");
              return value("cistern_leaks_total", id) > 0;
            });
  }

  private static void awaitDown(String id) {
    await().atMost(SOON).until(() -> value("cistern_host_up", id) == 0);
    await().atMost(SOON).until(() -> postMortem(id).contains(id));
  }

  private static double query(String expression) throws Exception {
    String query = URLEncoder.encode(expression, StandardCharsets.UTF_8);
    String body =
        stack.get(prometheus, Stack.PROMETHEUS_PORT, "/api/v1/query?query=" + query).body();
    List<Object> result = JsonParser.object().from(body).getObject("data").getArray("result");
    return result.isEmpty()
        ? Double.NaN
        : Double.parseDouble(((JsonObject) result.get(0)).getArray("value").getString(1));
  }

  @Test
  void prometheusSeesTheActivityOfTheHost() throws Exception {
    GenericContainer<?> host = stack.host(demo, agent, "seen", 256);
    String id = id("seen");
    leak(host, id);
    await()
        .atMost(LIMIT)
        .until(() -> query("cistern_host_up{application=\"seen\",job=\"cistern\"}") == 1);
    await().atMost(LIMIT).until(() -> query("sum(cistern_leaks_total{application=\"seen\"})") >= 1);
    assertThat(query("sum(cistern_pinned_bytes{application=\"seen\"})"))
        .isGreaterThanOrEqualTo(LEAKED_BYTES);
    assertThat(stack.get(sidecar, Stack.SIDECAR_PORT, "/leaks?host=" + id).body())
        .contains(LEAK_SITE);
    host.stop();
    awaitDown(id);
  }

  @Test
  void stacksAndFiguresNeedALogin() throws Exception {
    for (String path : List.of("/", "/metrics", "/leaks", "/postmortem/", "/debug/pprof/heap")) {
      assertThat(stack.getWithoutLogin(sidecar, Stack.SIDECAR_PORT, path).statusCode())
          .as(path)
          .isEqualTo(401);
    }
    assertThat(stack.getWithoutLogin(sidecar, Stack.SIDECAR_PORT, "/-/ready").statusCode())
        .isEqualTo(200);
  }

  @Test
  void aHostThatIsKilledLeavesItsLeaks() throws Exception {
    GenericContainer<?> host = stack.host(demo, agent, "killed", 256);
    String id = id("killed");
    leak(host, id);
    Docker.run("kill", "--signal", "KILL", host.getContainerId());
    awaitDown(id);
    assertThat(value("cistern_host_exited_cleanly", id)).isZero();
    assertThat(postMortem(id)).contains("killed").contains(LEAK_SITE);
    assertThat(stack.get(sidecar, Stack.SIDECAR_PORT, "/postmortem/" + id + "/heap").statusCode())
        .isEqualTo(200);
  }

  @Test
  void aHostAboveItsMemoryLimitLeavesItsLeaks() throws Exception {
    GenericContainer<?> host = stack.host(demo, agent, "limited", 160, "1g");
    String id = id("limited");
    leak(host, id);
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              try {
                stack.get(host, Stack.APPLICATION_PORT, "/leak?count=512&size=16384");
                return false;
              } catch (IOException e) {
                return true;
              }
            });
    await().atMost(LIMIT).until(() -> !host.isRunning());
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(
                        Docker.run(
                            "inspect", "--format", "{{.State.OOMKilled}}", host.getContainerId()))
                    .isEqualTo("true"));
    awaitDown(id);
    assertThat(value("cistern_host_exited_cleanly", id)).isZero();
    assertThat(postMortem(id)).contains("limited").contains(LEAK_SITE);
  }

  @Test
  void aHostThatIsStoppedHasEndedCleanly() throws Exception {
    GenericContainer<?> host = stack.host(demo, agent, "stopped", 256);
    String id = id("stopped");
    Docker.run("stop", host.getContainerId());
    awaitDown(id);
    assertThat(value("cistern_host_exited_cleanly", id)).isEqualTo(1);
  }

  @Test
  void aRestartedSidecarHasLostNothing() throws Exception {
    GenericContainer<?> gone = stack.host(demo, agent, "gone", 256);
    String goneId = id("gone");
    leak(gone, goneId);
    Docker.run("kill", "--signal", "KILL", gone.getContainerId());
    awaitDown(goneId);
    double goneLeaks = value("cistern_leaks_total", goneId);

    GenericContainer<?> host = stack.host(demo, agent, "stays", 256);
    String id = id("stays");
    leak(host, id);
    double leaks = value("cistern_leaks_total", id);

    GenericContainer<?> meanwhile = stack.host(demo, agent, "meanwhile", 256);
    String meanwhileId = id("meanwhile");
    Docker.run("kill", "--signal", "KILL", sidecar.getContainerId());
    sidecar.stop();
    // One host ends while the sidecar is down.
    Docker.run("kill", "--signal", "KILL", meanwhile.getContainerId());
    sidecar = stack.sidecar(sidecarImage);

    assertThat(value("cistern_host_up", id)).isEqualTo(1);
    assertThat(value("cistern_leaks_total", id)).isGreaterThanOrEqualTo(leaks);
    assertThat(value("cistern_leaks_total", goneId)).isEqualTo(goneLeaks);
    assertThat(postMortem(goneId)).contains(LEAK_SITE);
    awaitDown(meanwhileId);
    assertThat(value("cistern_host_exited_cleanly", meanwhileId)).isZero();
    host.stop();
  }

  /** Replaces each host with one that has the next agent, while the sidecar stays. */
  @Test
  void aRollingUpdateOfTheAgentIsSeenAsOne() throws Exception {
    String before = stack.agent(Images.agentOfVersion("0.0.9", agentImage));
    GenericContainer<?> first = stack.host(demo, before, "first", 256);
    GenericContainer<?> second = stack.host(demo, before, "second", 256);
    String firstId = id("first");
    String secondId = id("second");
    assertThat(versions(firstId)).isEqualTo("0.0.9");
    Docker.run("stop", first.getContainerId());
    GenericContainer<?> third = stack.host(demo, agent, "third", 256);
    String thirdId = id("third");
    assertThat(versions(secondId)).isEqualTo("0.0.9");
    assertThat(versions(thirdId)).isEqualTo(Images.version());
    leak(second, secondId);
    leak(third, thirdId);
    Docker.run("stop", second.getContainerId());
    awaitDown(firstId);
    awaitDown(secondId);
    assertThat(value("cistern_host_exited_cleanly", firstId)).isEqualTo(1);
    assertThat(value("cistern_host_exited_cleanly", secondId)).isEqualTo(1);
    assertThat(postMortem(secondId)).contains("0.0.9").contains(LEAK_SITE);
    assertThat(value("cistern_host_up", thirdId)).isEqualTo(1);
    third.stop();
  }

  private static String versions(String id) throws Exception {
    return metrics()
        .lines()
        .filter(line -> line.startsWith("cistern_build_info{") && line.contains(id))
        .map(line -> line.replaceAll(".*version=\"([^\"]+)\".*", "$1"))
        .findFirst()
        .orElse("");
  }
}
