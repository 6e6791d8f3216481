/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the server's responses, and fails unless they have the exact form. */
public final class HttpAnswers {
  private static final Pattern ANSWER =
      Pattern.compile(
          String.join(
              "\r\n",
              "HTTP/1\\.1 (\\d{3}) [A-Z][A-Za-z ]+",
              "Date: [A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT",
              "Server: example",
              "Content-Type: text/plain",
              "Content-Length: (\\d+)",
              "(Connection: close\r\n)?\r\n"));

  private HttpAnswers() {}

  /** Returns the status of each response, each followed by a blank. */
  public static String statuses(String answers) {
    StringBuilder statuses = new StringBuilder();
    Matcher answer = ANSWER.matcher(answers);
    int end = 0;
    while (end < answers.length()) {
      assertThat(answer.find(end) && answer.start() == end)
          .as("an answer, at %d of: %s", end, answers)
          .isTrue();
      statuses.append(answer.group(1)).append(' ');
      end = answer.end() + Integer.parseInt(answer.group(2));
      String body = answers.substring(answer.end(), Math.min(end, answers.length()));
      assertThat(body).isEqualTo(answer.group(1).equals("200") ? "Hello, World!" : "");
    }
    return statuses.toString();
  }
}
