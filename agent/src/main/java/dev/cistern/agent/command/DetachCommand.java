/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code detach}: lets the agent leave a JVM. */
@Command(
    name = "detach",
    header = "Removes the agent from a running JVM.",
    description =
        "Switches all Netty copies off, and removes the agent as soon as no buffer of its pools is in"
            + " use. Prints what it waits for. Exits with 1 if memory is still in use after the timeout;"
            + " the agent then leaves later by itself, unless another mode is set.")
final class DetachCommand implements Callable<Integer> {
  private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(1);

  @Parameters(paramLabel = "<pid>", description = Commands.PID)
  private long pid;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Seconds to wait (${DEFAULT-VALUE}).")
  private int seconds;

  @Override
  public Integer call() throws HostException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    Commands.checkAttach();
    try (TargetJvm target = TargetJvm.openWithAgent(pid);
        RemoteAgent agent = RemoteAgent.connect(target)) {
      if (agent == null) {
        throw new HostException(
            "cannot detach from process "
                + pid
                + ": the agent is idle, and not registered with JMX");
      }
      String shown = "";
      String left = agent.detach();
      while (!left.isEmpty()) {
        if (!left.equals(shown)) {
          System.out.println("waiting for: " + left);
          shown = left;
        }
        if (System.nanoTime() > deadline) {
          throw new HostException(
              "still in process "
                  + pid
                  + " after "
                  + seconds
                  + " s: "
                  + left
                  + "; the agent leaves by itself once that is released");
        }
        LockSupport.parkNanos(POLL_NANOS);
        left = agent.awaitDetach();
      }
      System.out.println("detached from process " + pid);
      return Commands.DONE;
    }
  }
}
