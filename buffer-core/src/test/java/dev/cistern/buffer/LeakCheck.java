/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static java.util.stream.Collectors.joining;

import dev.cistern.fixture.LeaksSince;
import dev.cistern.leak.report.LeakRecord;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Extension that collects garbage after each test class if every buffer is watched ({@code
 * -Pleak}). It fails a class that leaked a buffer, or a class that {@link LeaksOnPurpose} and did
 * not. Each thread has the name of its test, which identifies the leak: its stack starts outside of
 * this library's packages, and the tests belong to these packages, too.
 */
public final class LeakCheck implements BeforeEachCallback, AfterEachCallback, AfterAllCallback {
  private static final Namespace NAMESPACE = Namespace.create(LeakCheck.class);
  private static final String THREAD_BEFORE = "thread's name before";

  private final LeaksSince leaksSince = new LeaksSince();

  /** Called by the service loader. */
  public LeakCheck() {}

  @Override
  public void beforeEach(ExtensionContext context) {
    Thread thread = Thread.currentThread();
    context.getStore(NAMESPACE).put(THREAD_BEFORE, thread.getName());
    thread.setName(context.getRequiredTestMethod().getName() + " " + context.getDisplayName());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    String before = context.getStore(NAMESPACE).get(THREAD_BEFORE, String.class);
    Thread.currentThread().setName(before);
  }

  @Override
  public void afterAll(ExtensionContext context) throws InterruptedException {
    Class<?> tests = context.getRequiredTestClass();
    if (tests.getEnclosingClass() != null) {
      return;
    }
    List<LeaksSince.Leaks> leaks = leaksSince.collect();
    boolean isMeant = tests.isAnnotationPresent(LeaksOnPurpose.class);
    if (isMeant && leaks.isEmpty() && context.getExecutionException().isEmpty()) {
      throw new AssertionError(tests + " is marked @LeaksOnPurpose, but leaks nothing");
    }
    if (!isMeant && !leaks.isEmpty()) {
      throw new AssertionError(
          tests + " leaks:\n" + leaks.stream().map(LeakCheck::text).collect(joining("\n")));
    }
  }

  private static String text(LeaksSince.Leaks leaks) {
    LeakRecord latest = leaks.latest();
    return leaks.found() + ", the last of thread \"" + latest.thread() + "\": " + latest.toText();
  }
}
