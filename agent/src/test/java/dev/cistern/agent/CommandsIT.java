/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cistern.testing.Tool;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands of the agent's jar, each in its own JVM, as an operator runs them. */
class CommandsIT {
  private static final Set<String> ALL_BEANS =
      Set.of(
          "dev.cistern:type=Agent",
          "dev.cistern:type=Diagnostics",
          "dev.cistern:copy=io.netty,memory=direct,type=Pool",
          "dev.cistern:copy=io.netty,memory=heap,type=Pool");

  private static final String[] POOL_ATTRIBUTES = {
    "Mode",
    "State",
    "Reason",
    "ReservedBytes",
    "PinnedBytes",
    "CachedBytes",
    "FreeBytes",
    "UsedBytes",
    "LimitBytes",
    "Allocations",
    "Releases",
    "Exhaustions",
    "Chunks",
    "ThreadCaches",
  };

  private static final long PATIENCE_SECONDS = 60;

  private static final Pattern ADDRESS = Pattern.compile("127[.]0[.]0[.]1:(\\d+)");

  /** The exit status and the output of a command. */
  record Outcome(int status, String out, String err) {}

  private static ProcessBuilder builder(List<String> options, String... words) {
    List<String> line = new ArrayList<>();
    line.add(Tool.jdk("java"));
    line.addAll(options);
    line.addAll(List.of("-jar", HostJvm.AGENT.toString()));
    line.addAll(Arrays.asList(words));
    return new ProcessBuilder(line);
  }

  private static Outcome command(List<String> options, String... words)
      throws IOException, InterruptedException {
    Process process = builder(options, words).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    return new Outcome(process.exitValue(), out, err);
  }

  private static Outcome cistern(String... words) throws IOException, InterruptedException {
    return command(List.of(), words);
  }

  /**
   * Repeats a command until its outcome is the expected one, because a command waits 5 s for the
   * agent, and the agent may need longer on a machine under load.
   */
  private static Outcome cisternUntil(Predicate<Outcome> expected, String... words) {
    return await("cistern " + String.join(" ", words))
        .pollDelay(Duration.ZERO)
        .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
        .until(() -> cistern(words), expected);
  }

  private static Outcome cisternUntilItSucceeds(String... words) {
    return cisternUntil(outcome -> outcome.status() == 0, words);
  }

  @ParameterizedTest
  @MethodSource("dev.cistern.agent.HostJvm#homes")
  void aRunningHostIsFoundAttachedToAndSwitched(String home) throws Exception {
    try (RunningHost host = HostJvm.netty("4.1").main("example.host.Steady").jdk(home).start()) {
      String pid = String.valueOf(host.pid());
      assertThat(cistern("list").out())
          .containsPattern("(?m)^PID +AGENT +MODE +USER +WHERE +MAIN$")
          .containsPattern("(?m)^" + pid + " +- .* host +example.host.Steady$");
      Outcome attached = cistern("attach", pid, "mode=observe", "listen=none");
      assertThat(attached.status()).as("%s", attached).isZero();
      assertThat(attached.out()).contains("attached to process " + pid);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> cistern("mode", pid).out().contains(": observe, "));
      awaitListed(pid, "observe");
      assertThat(cistern("mode", pid, "swap", "--percent", "50").out())
          .matches("io[.]netty 4[.]1[^ ]+: swap 50 %, loader [^ ]+, allocators [^;]+\n");
      Outcome again = cistern("attach", pid, "mode=off");
      assertThat(again.out()).contains("already has agent ");
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> cistern("mode", pid).out().contains(": off, "));
      assertThat(host.order("stop")).isEqualTo("0");
    }
  }

  /** Its stats file names the control file that switches it on. */
  @Test
  void aCopyThatIsOffFromTheStartIsListedAndControlled() throws Exception {
    try (RunningHost host =
        HostJvm.netty("4.1")
            .main("example.host.Steady")
            .agent("mode=off,listen=none,controlRaises=true")
            .start()) {
      String pid = String.valueOf(host.pid());
      awaitListed(pid, "off");
      assertThat(cistern("why", pid).out()).contains("io.netty 4.1").contains(": off");
      Outcome observe = cisternUntilItSucceeds("mode", pid, "observe", "--by", "file");
      assertThat(observe.out()).as("%s", observe).contains(": observe ");
      assertThat(host.order("stop")).isEqualTo("0");
    }
  }

  @Test
  void theAgentLeavesAJvmThatHasNoNetty() throws Exception {
    try (RunningHost host = HostJvm.netty("4.1").main("example.host.LateNetty").start()) {
      host.attach("listen=none");
      Outcome detached = cisternUntilItSucceeds("detach", String.valueOf(host.pid()));
      assertThat(detached.out()).contains("detached from process " + host.pid());
      assertThat(host.order("alive")).isEmpty();
      assertThat(host.exit()).isZero();
    }
  }

  @Test
  void aHostThatRefusesDynamicAgentsCanBeSwitched() throws Exception {
    try (RunningHost host =
        HostJvm.netty("4.1")
            .main("example.host.Steady")
            .option("-XX:-EnableDynamicAgentLoading")
            .agent("listen=none")
            .start()) {
      String pid = String.valueOf(host.pid());
      assertThat(cistern("mode", pid, "observe").out()).contains(": observe, ");
      Outcome attach = cistern("attach", pid, "mode=off");
      assertThat(attach.status()).isEqualTo(1);
      assertThat(attach.err()).contains("-XX:-EnableDynamicAgentLoading");
    }
  }

  @Test
  void aHostWithoutTheAgentIsNamedAsSuch() throws Exception {
    try (RunningHost host = HostJvm.netty("4.1").main("example.host.Steady").start()) {
      String pid = String.valueOf(host.pid());
      Outcome mode = cistern("mode", pid, "swap");
      assertThat(mode.status()).isEqualTo(1);
      assertThat(mode.err()).contains("does not have the agent", "cistern attach " + pid);
      Outcome bad = cistern("attach", pid, "mode=sideways");
      assertThat(bad.status()).isEqualTo(1);
      assertThat(bad.err()).contains("agent disabled");
      assertThat(host.errors()).anyMatch(line -> line.contains("mode: 'sideways'"));
      assertThat(cistern("attach", pid, "mode=off", "listen=none").status())
          .as("after a mistake, once more")
          .isZero();
      assertThat(host.attribute("Endpoint")).isEqualTo("not open yet");
    }
  }

  /** Each attach starts with a signal that would end a process that is not a JVM. */
  @Test
  void aProcessThatIsNoJvmIsNotTouched() throws Exception {
    Process sleeper = new ProcessBuilder("sleep", "60").start();
    try {
      Outcome outcome = cistern("attach", String.valueOf(sleeper.pid()));
      assertThat(outcome.status()).isEqualTo(1);
      assertThat(outcome.err()).contains("is not a JVM");
      assertThat(sleeper.isAlive()).isTrue();
    } finally {
      sleeper.destroy();
    }
  }

  @Test
  void aJvmThatTheSignalWouldEndIsNotTouched() throws Exception {
    try (RunningHost host =
        HostJvm.netty("4.1").main("example.host.Steady").option("-Xrs").start()) {
      Outcome outcome = cistern("attach", String.valueOf(host.pid()));
      assertThat(outcome.status()).isEqualTo(1);
      assertThat(outcome.err()).contains("does not handle SIGQUIT");
      assertThat(host.order("stop")).isEqualTo("0");
    }
  }

  @Test
  void aJavaWithoutTheAttachModuleReportsThatInOneLine() throws Exception {
    for (String name : List.of("attach", "detach", "mode")) {
      Outcome outcome = command(List.of("--limit-modules", "java.base"), name, "1");
      assertThat(outcome.status()).isEqualTo(1);
      assertThat(outcome.err().lines()).singleElement().asString().contains("no module jdk.attach");
      assertThat(outcome.out()).isEmpty();
    }
    assertThat(command(List.of("--limit-modules", "java.base"), "list").status()).isZero();
  }

  private static void awaitListed(String pid, String mode) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(cistern("list").out())
                    .containsPattern("(?m)^" + pid + " +[0-9][^ ]+ +" + mode + " "));
  }

  private static HostJvm steady() {
    return HostJvm.netty("4.1").main("example.host.Steady");
  }

  @Test
  void theStatsFileReportsTheStateOfTheAgent(@TempDir Path folder) throws Exception {
    String secret = "planted-secret-value";
    try (RunningHost host =
        steady().option("-Dsecret=" + secret).agent("listen=none").argument(secret).start()) {
      String pid = String.valueOf(host.pid());
      awaitListed(pid, "swap");
      Outcome why = cistern("why", pid);
      assertThat(why.status()).as("%s", why).isZero();
      assertThat(why.out())
          .containsPattern("io[.]netty 4[.]1[^ ]+: swap since .* [(]settings[)]")
          .contains("yes, by Cistern's pool", "direct pool", " of the limit ");
      assertThat(cistern("top", pid, "--once").out())
          .containsPattern("(?m)^PID +POOL +MODE +RESERVED +RESIDENT +PINNED")
          .containsPattern("(?m)^" + pid + " +io.netty +swap .* [0-9,]+ +example.host.Steady$");
      ProcessBuilder report = builder(List.of(), "report", pid).directory(folder.toFile());
      assertThat(Tool.run(report, PATIENCE_SECONDS).status()).isZero();
      String contents = contents(folder);
      assertThat(contents)
          .contains("swap", "JAVA_VERSION", "\"served_allocations\":")
          .doesNotContain(secret, System.getProperty("java.home"))
          .doesNotContainPattern("(?i)(pid|process)\\W+" + pid)
          .doesNotContainPattern("0x[0-9a-f]");
    }
  }

  private static String contents(Path folder) throws IOException {
    StringBuilder text = new StringBuilder();
    try (DirectoryStream<Path> archives =
        Files.newDirectoryStream(folder, "cistern-report-*.zip")) {
      for (Path archive : archives) {
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(archive))) {
          for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
            text.append(new String(zip.readAllBytes(), StandardCharsets.UTF_8));
          }
        }
      }
    }
    return text.toString();
  }

  @Test
  void aHostThatCannotBeAttachedToIsSwitchedByItsFile() throws Exception {
    try (RunningHost host =
        steady().option("-XX:+DisableAttachMechanism").agent("listen=none").start()) {
      String pid = String.valueOf(host.pid());
      awaitListed(pid, "swap");
      Outcome mode = cisternUntilItSucceeds("mode", pid, "observe");
      assertThat(mode.out()).contains(": observe since ", "(file)");
      assertThat(mode.err()).contains("using its files");
      assertThat(cistern("mode", pid, "swap", "--by", "jmx").status()).isEqualTo(1);
      Outcome off = cisternUntilItSucceeds("mode", pid, "off", "--by", "file");
      assertThat(off.out()).contains(": off since ");
    }
  }

  @Test
  void aModeThatTheSettingsForbidIsRefusedByFile() throws Exception {
    try (RunningHost host = steady().agent("listen=none,mode=observe").start()) {
      String pid = String.valueOf(host.pid());
      awaitListed(pid, "observe");
      Outcome mode =
          cisternUntil(
              outcome -> outcome.err().contains("the agent refused the command"),
              "mode",
              pid,
              "swap",
              "--by",
              "file");
      assertThat(mode.status()).isEqualTo(1);
      assertThat(mode.err()).contains("controlRaises");
    }
    try (RunningHost host = steady().agent("listen=none,control=none").start()) {
      String pid = String.valueOf(host.pid());
      awaitListed(pid, "swap");
      Outcome mode = cistern("mode", pid, "off", "--by", "file");
      assertThat(mode.status()).isEqualTo(1);
      assertThat(mode.err()).contains("does not read ", "control=none");
      Outcome percent = cistern("mode", pid, "swap", "--percent", "10", "--by", "file");
      assertThat(percent.status()).as("%s", percent).isEqualTo(1);
      assertThat(cistern("attach", pid, "mode=sideways").status()).isEqualTo(2);
    }
  }

  @Test
  void theAgentIsDetachedOnceItsBuffersAreReleasedAndAttachedAgain() throws Exception {
    try (RunningHost host = steady().agent("listen=127.0.0.1:0").start()) {
      String pid = String.valueOf(host.pid());
      awaitListed(pid, "swap");
      host.order("hold 3");
      host.order("stop");
      assertPool(host.pool("direct", POOL_ATTRIBUTES), 3, 256L << 20); // of -Xmx256m
      assertPool(host.pool("heap", POOL_ATTRIBUTES), 0, -1);
      int port = port(host);
      assertThat(accepts(port)).isTrue();
      Outcome early = cistern("detach", pid, "--timeout", "2");
      assertThat(early.status()).as("%s", early).isEqualTo(1);
      assertThat(early.out()).contains("waiting for: io.netty ", " bytes of live buffers");
      assertThat(early.err()).contains("after 2 s", "leaves by itself");
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      for (String page :
          List.of("metrics", "live", "leaks", "memory", "state", "debug/pprof/heap")) {
        assertThat(endpoint.body('/' + page)).as(page).isNotEmpty();
        assertThat(endpoint.body('/' + page)).as("again %s", page).isNotEmpty();
      }
      host.order("drop");
      Outcome detached = cistern("detach", pid);
      assertThat(detached.status()).as("%s", detached).isZero();
      assertThat(detached.out()).endsWith("detached from process " + pid + "\n");
      await().until(() -> !host.threads().contains("cistern"));
      assertThat(host.beans()).isEmpty();
      assertThat(accepts(port)).isFalse();
      assertThat(host.liveClasses())
          .doesNotContain("AllocatorTransformer", "NettyCopyManager", "dev.cistern.pool.");
      assertThat(cistern("list").out()).containsPattern("(?m)^" + pid + " +- ");
      assertThat(cistern("attach", pid, "listen=none").out()).contains("attached to process");
      host.order("hold 3");
      awaitListed(pid, "swap");
      assertThat(host.order("classes")).contains("dev.cistern");
      await().atMost(Duration.ofSeconds(30)).until(() -> host.beans().equals(ALL_BEANS));
      host.order("drop");
    }
  }

  @Test
  void anotherModeEndsADetachment() throws Exception {
    try (RunningHost host = steady().agent("listen=none").start()) {
      String pid = String.valueOf(host.pid());
      awaitListed(pid, "swap");
      host.order("hold 3");
      Process waiting = builder(List.of(), "detach", pid).redirectErrorStream(true).start();
      try (BufferedReader lines = waiting.inputReader()) {
        assertThat(lines.readLine()).contains("waiting for: ");
        assertThat(cistern("mode", pid, "off").status()).isZero();
        assertThat(waiting.isAlive()).isTrue();
        assertThat(cistern("mode", pid, "swap").out()).contains(": swap, ");
        assertThat(waiting.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
            .as("another mode ends the attempt")
            .isTrue();
        assertThat(waiting.exitValue()).isEqualTo(1);
      }
      assertThat(cistern("mode", pid).out()).contains(": swap, ");
      host.order("drop");
    }
  }

  private static int port(RunningHost host) throws Exception {
    Matcher address = ADDRESS.matcher(String.valueOf(host.attribute("Endpoint")));
    assertThat(address.find()).isTrue();
    return Integer.parseInt(address.group(1));
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException refused) {
      return false;
    }
  }

  /** Checks the attributes of a pool that has this many buffers of 1 KiB. */
  private static void assertPool(Map<String, Object> pool, long buffers, long limitBytes) {
    assertThat(pool).containsOnlyKeys(POOL_ATTRIBUTES);
    assertThat(pool)
        .containsEntry("Mode", "swap")
        .containsEntry("State", "active")
        .containsEntry("Reason", "")
        .containsEntry("PinnedBytes", buffers * 1024)
        .containsEntry("LimitBytes", limitBytes)
        .containsEntry("Exhaustions", 0L);
    long reserved = figure(pool, "ReservedBytes");
    assertThat(figure(pool, "CachedBytes") + figure(pool, "FreeBytes"))
        .isEqualTo(reserved - figure(pool, "PinnedBytes"));
    assertThat(figure(pool, "UsedBytes")).isGreaterThanOrEqualTo(reserved);
    assertThat(figure(pool, "Allocations")).isGreaterThan(1_000);
    assertThat(figure(pool, "Allocations") - figure(pool, "Releases")).isEqualTo(buffers);
    assertThat(figure(pool, "Chunks")).isPositive();
    assertThat(figure(pool, "ThreadCaches")).isNotNegative();
  }

  private static long figure(Map<String, Object> pool, String attribute) {
    return (Long) Objects.requireNonNull(pool.get(attribute));
  }

  @Test
  void aJvmOfAnotherUserIsReachedByRootAndExplainedToOtherUsers(@TempDir Path folder)
      throws Exception {
    assumeTrue(isRoot());
    List<String> asNobody =
        List.of("setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups");
    assumeTrue(canRun(asNobody));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path jar = Files.copy(HostJvm.AGENT, folder.resolve("agent.jar"));
    List<String> list = new ArrayList<>(asNobody);
    list.addAll(List.of(Tool.jdk("java"), "-jar", jar.toString(), "list"));
    try (RunningHost own = steady().agent("listen=none").start();
        RunningHost host = steady().startedBy(asNobody).start()) {
      String pid = String.valueOf(host.pid());
      assertThat(cistern("attach", pid, "listen=none").out()).contains("attached to process");
      awaitListed(pid, "swap");
      assertThat(cistern("list").out()).containsPattern("(?m)^" + pid + " .* nobody +host ");
      assertThat(cistern("mode", pid, "observe").out()).contains(": observe, ");
      Outcome swap = cisternUntilItSucceeds("mode", pid, "swap", "--by", "file");
      assertThat(swap.out()).contains(": swap since ");
      String listed = Tool.run(new ProcessBuilder(list), PATIENCE_SECONDS).printed();
      assertThat(listed).containsPattern("(?m)^" + own.pid() + " +[?] .* root ");
      assertThat(listed).containsPattern("(?m)^" + pid + " +[0-9][^ ]+ +swap +nobody ");
      assertThat(listed).contains("run as root or as user root");
      Outcome early = cistern("detach", pid, "--timeout", "1");
      assertThat(early.out()).as("%s", early).contains("waiting for: io.netty ");
      host.order("stop");
      assertThat(cistern("detach", pid).out()).contains("detached from process " + pid);
    }
  }

  @Test
  void aJvmInAContainerIsReachedThroughItsRoot() throws Exception {
    List<String> container =
        List.of(
            "unshare",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            "--mount-proc",
            "sh",
            "-c",
            "mount -t tmpfs none /dev/shm && exec \"$@\"",
            "sh");
    assumeTrue(isRoot() && canRun(container));
    try (RunningHost host = steady().startedBy(container).start()) {
      // unshare has started its process
      String pid =
          ProcessHandle.of(host.pid()).orElseThrow().children().findFirst().orElseThrow().pid()
              + "";
      assertThat(cistern("attach", pid, "listen=none").out()).contains("attached to process");
      awaitListed(pid, "swap");
      assertThat(cistern("list").out()).containsPattern("(?m)^" + pid + " .* root +container ");
      Outcome observe = cisternUntilItSucceeds("mode", pid, "observe", "--by", "file");
      assertThat(observe.out()).contains("(file)");
      assertThat(cistern("why", pid).out()).contains("Netty's own allocator is observed");
    }
  }

  private static boolean isRoot() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
  }

  private static boolean canRun(List<String> starter) throws InterruptedException {
    List<String> words = new ArrayList<>(starter);
    words.add("true");
    try {
      return Tool.run(new ProcessBuilder(words), PATIENCE_SECONDS).status() == 0;
    } catch (IOException missing) {
      return false;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "attach,Missing required parameter: '<pid>'",
    "attach x,'x' is not a long",
    "attach 1 swap,Unmatched argument",
    "mode,Missing required parameter: '<pid>'",
    "mode 1 sideways,'swap, observe or off'",
    "mode 1 swap --percent,Missing required parameter for option",
    "mode 1 swap --percent 0,a number from 1 to 100",
    "mode 1 swap --percent x,a number from 1 to 100",
    "mode 1 swap --copies :,copies: ':'",
    "mode 1 --percent 5,mode: missing",
    "mode 1 swap now,Unmatched argument",
    "list all,Unmatched argument",
    "detach,run 'cistern detach --help'",
    "detach 1 --timeout x,'x' is not an int",
    "why,run 'cistern why --help'",
    "why 1 now,Unmatched argument",
    "report,run 'cistern report --help'",
    "top 1 --twice,Unknown option",
    "mode 1 off --by mail,'expected one of [jmx, file]'",
    "nonsense,Unmatched argument",
  })
  void aWrongCommandLineIsNamedAndExitsTwo(String line, String message) throws Exception {
    Outcome outcome = cistern(line.split(" ", -1));
    assertThat(outcome.status()).as("%s", outcome).isEqualTo(2);
    assertThat(outcome.err()).contains(message);
  }

  @Test
  void eachCommandHasHelp() throws Exception {
    for (String name : List.of("attach", "detach", "list", "mode", "why", "top", "report")) {
      Outcome outcome = cistern(name, "--help");
      assertThat(outcome.status()).isZero();
      assertThat(outcome.out()).contains("Usage: cistern " + name);
    }
  }
}
