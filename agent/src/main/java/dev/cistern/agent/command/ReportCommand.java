/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import dev.cistern.exporter.report.HostFigures;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.schema.Row;
import dev.cistern.exporter.view.DiagnosticsText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code report}: writes an archive for a bug report. */
@Command(
    name = "report",
    header = "Writes a redacted archive for a bug report.",
    description =
        "The file cistern-report-<pid>-<time>.zip in the current directory contains versions, modes,"
            + " counters, sites of leaks and of live buffers. It has no content of buffers, no addresses,"
            + " no settings, no environment and no command line; its README.txt says more.")
final class ReportCommand implements Callable<Integer> {
  private static final String README =
      """
      A report of Cistern, for a bug report. Read it before you send it.

      versions.txt  Java runtime, agent, operating system
      verdict.txt   findings about the memory
      memory.txt    parts of the resident memory
      why.txt       mode of each Netty copy, its cause, counters, limits
      top.txt       memory of each copy
      leaks.txt     allocation sites of leaks
      live.txt      allocation sites of live buffers
      figures.json  the counters of the stats file

      Left out: content of buffers, stacks but for the allocation site, hints, settings, command line,
      environment, system properties, the standard error of the process, names of application, pod,
      container, host, user and threads. Replaced in texts: [address] (memory), [ip] (network), [path],
      [name]. Names of classes and packages are included.
      """;

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
  private static final String RELEASE = "release";

  /**
   * Pattern of an application name that is a main class. It is not redacted, because allocation
   * sites contain it anyway.
   */
  private static final Pattern CLASS_NAME = Pattern.compile("(\\w+\\.)+[A-Z]\\w*");

  /**
   * Smallest length of a redacted value of an environment variable. Shorter values are words that
   * occur anywhere.
   */
  private static final int MIN_SECRET = 6;

  @Parameters(paramLabel = "<pid>", description = Commands.PID)
  private long pid;

  @Mixin private StatsFiles files = new StatsFiles();

  @Override
  public Integer call() throws HostException {
    AgentProcess agent = files.agent(pid);
    String time = TIME.format(LocalDateTime.now(ZoneOffset.UTC));
    Path archive = Path.of("cistern-report-" + agent.pid() + '-' + time + ".zip");
    try {
      write(archive, entries(agent.report(), versions(agent), secrets(agent.process())));
    } catch (IOException failed) {
      throw new HostException("cannot write " + archive.toAbsolutePath(), failed);
    }
    System.out.println("wrote " + archive.toAbsolutePath() + "; read it before you send it");
    return Commands.DONE;
  }

  /**
   * Returns the files of the archive.
   *
   * @param secrets words to remove
   */
  static Map<String, String> entries(HostView report, String versions, List<String> secrets) {
    Row row = report.row();
    HostView nameless = report.withoutNames();
    List<String> names = new ArrayList<>(secrets);
    names.addAll(List.of(row.get(HostFigures.POD), row.get(HostFigures.CONTAINER)));
    if (!CLASS_NAME.matcher(report.application()).matches()) {
      names.add(report.application());
    }
    Redaction redaction = new Redaction(names);
    Map<String, String> files = new LinkedHashMap<>();
    files.put("README.txt", README);
    files.put("versions.txt", redaction.text(versions));
    files.put("verdict.txt", redaction.text(DiagnosticsText.verdict(nameless)));
    files.put("memory.txt", redaction.text(DiagnosticsText.memory(nameless)));
    files.put("why.txt", redaction.text(HostText.why(nameless)));
    files.put("top.txt", redaction.text(TopCommand.text(nameless)));
    files.put("leaks.txt", redaction.text(DiagnosticsText.leaks(nameless)));
    files.put("live.txt", redaction.text(DiagnosticsText.live(nameless)));
    files.put("figures.json", redaction.json(DiagnosticsText.state(nameless)));
    return files;
  }

  private static void write(Path archive, Map<String, String> files) throws IOException {
    try (ZipOutputStream zip =
        new ZipOutputStream(Files.newOutputStream(archive, StandardOpenOption.CREATE_NEW))) {
      for (Map.Entry<String, String> file : files.entrySet()) {
        zip.putNextEntry(new ZipEntry(file.getKey()));
        zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    }
  }

  private static String versions(AgentProcess agent) {
    StringBuilder text = new StringBuilder();
    text.append("agent: ").append(agent.identity().version()).append('\n');
    text.append("system: ").append(System.getProperty("os.name")).append(' ');
    text.append(System.getProperty("os.version")).append(' ');
    text.append(System.getProperty("os.arch")).append('\n');
    text.append(javaRelease(agent.process()));
    return text.toString();
  }

  /** Returns the version of the process's Java runtime, from the file in its home directory. */
  private static String javaRelease(@Nullable LocalProcess process) {
    try {
      if (process != null) {
        String java = Files.readSymbolicLink(process.directory().resolve("exe")).toString();
        Path home = process.inRoot(java.substring(0, java.lastIndexOf("/bin/")));
        StringBuilder lines = new StringBuilder();
        for (String line : LocalProcess.text(home.resolve(RELEASE)).split("\n", -1)) {
          if (line.matches("(JAVA_VERSION|JAVA_RUNTIME_VERSION|IMPLEMENTOR|LIBC)=.*")) {
            lines.append(line).append('\n');
          }
        }
        if (lines.length() > 0) {
          return lines.toString();
        }
      }
    } catch (IOException | RuntimeException unknown) {
      // another layout, or no permission
    }
    return "java: unknown\n";
  }

  /** Returns names and values that must not be in the archive. */
  private static List<String> secrets(@Nullable LocalProcess process) {
    List<String> secrets = new ArrayList<>();
    secrets.add(System.getProperty("user.name"));
    if (process != null) {
      secrets.add(process.user());
      secrets.add(process.text("root/etc/hostname").strip());
      secrets.add(process.text("root/proc/sys/kernel/hostname").strip());
      String environment = process.text("environ");
      if (environment.isEmpty()) {
        System.err.println(
            "cistern: the environment of process "
                + process.pid()
                + " cannot be read: if a text of the report repeats a value of it, the value stays");
      }
      for (String variable : environment.split("\0", -1)) {
        String value = variable.substring(variable.indexOf('=') + 1);
        if (value.length() >= MIN_SECRET) {
          secrets.add(value);
        }
      }
    }
    return secrets;
  }
}
