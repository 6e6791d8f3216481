/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import dev.cistern.agent.config.BadSettingException;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.exporter.view.DiagnosticsText;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;

/** The entry point of the command line: selects and runs a command. */
@Command(
    name = "cistern",
    description = "Shows and changes JVMs that have the agent.",
    subcommands = {
      ListCommand.class,
      AttachCommand.class,
      DetachCommand.class,
      ModeCommand.class,
      TopCommand.class,
      ReportCommand.class
    })
public final class Commands {
  /** Description of the first parameter of a command. */
  static final String PID = "Process ID; run 'cistern list'.";

  /** The command succeeded. */
  static final int DONE = CommandLine.ExitCode.OK;

  /** The command failed. */
  static final int FAILED = CommandLine.ExitCode.SOFTWARE;

  /** The command line is invalid, such as an unknown option. */
  static final int REFUSED = CommandLine.ExitCode.USAGE;

  private static final int WIDTH = 100;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this text.")
  boolean isHelp;

  private Commands() {}

  /**
   * Runs a command. Prints its result to standard output and an error to standard error.
   *
   * @return the exit status: 0 done, 1 failed, 2 invalid command line
   */
  public static int run(String[] arguments) {
    return new CommandLine(new Commands())
        .setUsageHelpWidth(WIDTH)
        .setParameterExceptionHandler((wrong, line) -> refuse(wrong))
        .setExecutionExceptionHandler((failed, command, line) -> fail(failed, command))
        .execute(arguments);
  }

  @Command(
      name = "why",
      header = "Shows the verdict on the memory of a JVM, and which allocators are served.",
      description =
          "Also shows the last change of the mode, fallbacks and limits. Does not attach to the JVM.")
  int why(@Parameters(paramLabel = "<pid>", description = PID) long pid, @Mixin StatsFiles files)
      throws HostException {
    HostView report = files.agent(pid).report();
    System.out.print(DiagnosticsText.verdict(report) + '\n' + HostText.why(report));
    return DONE;
  }

  @Command(
      name = "memory",
      header = "Shows the parts of the resident memory of a JVM.",
      description = "They were measured within the last minutes. Does not attach to the JVM.")
  int memory(@Parameters(paramLabel = "<pid>", description = PID) long pid, @Mixin StatsFiles files)
      throws HostException {
    System.out.print(DiagnosticsText.memory(files.agent(pid).report()));
    return DONE;
  }

  /** Returns whether this Java runtime can attach to other JVMs. */
  static boolean canAttach() {
    return ModuleLayer.boot().findModule("jdk.attach").isPresent();
  }

  static void checkAttach() throws HostException {
    if (!canAttach()) {
      throw new HostException.Unreachable(
          "cannot attach: "
              + System.getProperty("java.home")
              + " has no module jdk.attach; set JAVA_HOME to a JDK, or start the application with"
              + " -javaagent");
    }
  }

  /** Returns text from another process without characters that control terminals. */
  static String plain(String lines) {
    return lines.lines().map(TextFormat::plain).collect(Collectors.joining("\n"));
  }

  private static int refuse(ParameterException wrong) {
    String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
    System.err.println("cistern: " + wrong.getMessage() + "; run '" + command + " --help'");
    return REFUSED;
  }

  private static int fail(Exception failed, CommandLine command) throws Exception {
    if (failed instanceof BadSettingException) {
      return refuse(new ParameterException(command, String.valueOf(failed.getMessage())));
    }
    if (failed instanceof HostException) {
      System.err.println("cistern: " + plain(String.valueOf(failed.getMessage())));
      return FAILED;
    }
    throw failed;
  }
}
