/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A command to change the mode of a host, as a client of the sidecar sent it.
 *
 * @param host host ID, application name, or {@link #ALL_HOSTS}
 * @param line line for the host's control file, without a line end
 */
record ControlCommand(String host, String line) {
  /** Value of {@code host} for all running hosts. */
  static final String ALL_HOSTS = "*";

  private static final String HOST = "host";
  private static final String MODE = "mode";
  private static final String PERCENT = "percent";
  private static final String COPIES = "copies";
  private static final Set<String> NAMES = Set.of(HOST, MODE, PERCENT, COPIES);
  private static final Set<String> MODES = Set.of("off", "observe", "swap");
  private static final int MAX_PERCENT = 100;
  private static final int MAX_COPIES_LENGTH = 500;

  /** Thrown for a malformed command. The message names the parameter and its allowed values. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedException(String message) {
      super(message);
    }
  }

  /**
   * Parses the parameters of a request. Unknown and repeated parameters are errors: without {@code
   * percent}, the pool would serve all allocations.
   */
  static ControlCommand read(Map<String, List<String>> parameters) throws MalformedException {
    for (Map.Entry<String, List<String>> each : parameters.entrySet()) {
      if (!NAMES.contains(each.getKey())) {
        throw new MalformedException(
            "parameter " + each.getKey() + ": unknown (expected: host, mode, percent, copies)");
      }
      if (each.getValue().size() > 1) {
        throw new MalformedException("parameter " + each.getKey() + ": repeated (expected: once)");
      }
    }
    String host = value(parameters, HOST);
    if (host.isEmpty()) {
      throw new MalformedException(
          "host: missing (expected: host id, application name, or * for all hosts; send parameters"
              + " in the query, because the body is not read)");
    }
    String mode = value(parameters, MODE);
    if (!MODES.contains(mode)) {
      throw new MalformedException("mode: '" + mode + "' (expected: off, observe or swap)");
    }
    StringBuilder line = new StringBuilder(MODE).append('=').append(mode);
    if (parameters.containsKey(PERCENT)) {
      line.append(',').append(PERCENT).append('=');
      line.append(percent(value(parameters, PERCENT), mode));
    }
    if (parameters.containsKey(COPIES)) {
      line.append(',').append(COPIES).append('=').append(copies(value(parameters, COPIES)));
    }
    return new ControlCommand(host, line.toString());
  }

  private static String value(Map<String, List<String>> parameters, String name) {
    return parameters.getOrDefault(name, List.of("")).get(0);
  }

  private static int percent(String text, String mode) throws MalformedException {
    if (!mode.equals("swap")) {
      throw new MalformedException("percent: '" + text + "' (expected: only with mode=swap)");
    }
    boolean isNumber = text.length() <= 3 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    int percent = isNumber && !text.isEmpty() ? Integer.parseInt(text) : 0;
    if (percent < 1 || percent > MAX_PERCENT) {
      throw new MalformedException("percent: '" + text + "' (expected: 1 to 100)");
    }
    return percent;
  }

  /** Checks a pattern by the agent's rules, so that the agent accepts the file. */
  private static String copies(String text) throws MalformedException {
    int at = text.indexOf('@');
    boolean isPattern =
        !text.isEmpty() && text.length() <= MAX_COPIES_LENGTH && at != text.length() - 1;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      isPattern &= c > ' ' && !Character.isISOControl(c) && !Character.isSurrogate(c);
      isPattern &= c != ',' && c != ':' && (c != '@' || i == at);
    }
    if (!isPattern) {
      throw new MalformedException(
          "copies: '"
              + text
              + "' (expected: a package prefix with an optional @loader, such as io.netty,"
              + " io.grpc.* or *@app)");
    }
    return text;
  }
}
