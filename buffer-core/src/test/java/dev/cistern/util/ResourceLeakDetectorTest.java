/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.testing.GarbageCollection;
import dev.cistern.util.ResourceLeakDetector.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of the leak detection mechanism, on objects without content. */
class ResourceLeakDetectorTest {
  private static final int DEFAULT_RECORDS = 4;

  private final Level levelBefore = ResourceLeakDetector.getLevel();
  private final Collecting detector = new Collecting();

  /** An object that can leak. */
  private static final class Resource {}

  /** Detector that stores the reports. */
  private static class Collecting extends ResourceLeakDetector<Resource> {
    final List<String> traced = new ArrayList<>();
    boolean needed = true;
    int needReportCalls;
    @Nullable Object initialHint;

    Collecting() {
      super(Resource.class, 1);
    }

    @Override
    protected boolean needReport() {
      needReportCalls++;
      return needed;
    }

    @Override
    protected void reportTracedLeak(String resourceType, String records) {
      assertThat(resourceType).isEqualTo("Resource");
      traced.add(records);
    }

    @Override
    protected @Nullable Object getInitialHint(String resourceType) {
      return initialHint;
    }
  }

  @BeforeEach
  void watchAll() {
    ResourceLeakDetector.setLevel(Level.PARANOID);
  }

  @AfterEach
  void restoreLevel() {
    ResourceLeakDetector.setLevel(levelBefore);
  }

  private void leak(Consumer<ResourceLeakTracker<Resource>> use) {
    use.accept(detector.trackForcibly(new Resource()));
  }

  private static void doNothing(ResourceLeakTracker<Resource> tracker) {
    assertThat(tracker).isNotNull();
  }

  /** Watches and releases objects until that number of leaks has been reported. */
  private void awaitReports(int count) {
    GarbageCollection.untilAsserted(
        () -> {
          Resource probe = new Resource();
          detector.trackForcibly(probe).close(probe);
          assertThat(detector.traced).hasSizeGreaterThanOrEqualTo(count);
        });
  }

  /** Returns the share of the objects that is watched at this level. */
  private static double watchedShare(ResourceLeakDetector<Resource> detector, int objects) {
    int watched = 0;
    for (int i = 0; i < objects; i++) {
      Resource resource = new Resource();
      ResourceLeakTracker<Resource> tracker = detector.track(resource);
      if (tracker != null) {
        watched++;
        tracker.close(resource);
      }
    }
    return (double) watched / objects;
  }

  @Tag("E1")
  @Test
  void theLevelCanChangeAtRunTime() {
    ResourceLeakDetector<Resource> oneInMany = new ResourceLeakDetector<>(Resource.class, 1 << 20);
    assertThat(watchedShare(oneInMany, 100)).isEqualTo(1);
    ResourceLeakDetector.setLevel(Level.DISABLED);
    assertThat(ResourceLeakDetector.isEnabled()).isFalse();
    assertThat(watchedShare(new ResourceLeakDetector<>(Resource.class, 1), 100)).isZero();
    ResourceLeakDetector.setLevel(Level.SIMPLE);
    assertThat(ResourceLeakDetector.isEnabled()).isTrue();
    assertThat(ResourceLeakDetector.getLevel()).isEqualTo(Level.SIMPLE);
    assertThat(watchedShare(oneInMany, 100)).isLessThan(0.1);
    assertThat(watchedShare(new ResourceLeakDetector<>(Resource.class, 1), 100)).isEqualTo(1);
    assertThatThrownBy(() -> ResourceLeakDetector.setLevel(null))
        .isInstanceOf(NullPointerException.class);
  }

  @Tag("E1")
  @Test
  void oneInAPowerOfTwoIsWatched() {
    ResourceLeakDetector.setLevel(Level.ADVANCED);
    // 100,000 samples: ten standard deviations on each side.
    assertThat(watchedShare(new ResourceLeakDetector<>(Resource.class, 8), 100_000))
        .isBetween(0.114, 0.136);
    // The interval is rounded up to 8.
    assertThat(watchedShare(new ResourceLeakDetector<>(Resource.class, 5), 100_000))
        .isBetween(0.114, 0.136);
    assertThatThrownBy(() -> new ResourceLeakDetector<>(Resource.class, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("samplingInterval: 0");
  }

  @Tag("E1")
  @Test
  void anUnreleasedObjectIsReportedWithItsCreationSite() {
    leak(ResourceLeakDetectorTest::doNothing);
    awaitReports(1);
    assertThat(detector.traced).hasSize(1);
    assertThat(detector.traced.get(0))
        .startsWith("Created:")
        .contains("ResourceLeakDetectorTest.anUnreleasedObjectIsReportedWith");
  }

  @Tag("E1")
  @Test
  void aReleasedObjectIsNotReported() {
    for (int i = 0; i < 1_000; i++) {
      Resource resource = new Resource();
      ResourceLeakTracker<Resource> tracker = detector.trackForcibly(resource);
      tracker.record();
      assertThat(tracker.close(resource)).isTrue();
      assertThat(tracker.close(resource)).isFalse();
      tracker.record(); // too late, without effect
    }
    leak(tracker -> tracker.record("the only leak"));
    awaitReports(1);
    assertThat(detector.traced).hasSize(1);
    assertThat(detector.traced.get(0)).contains("the only leak");
  }

  @Tag("E2")
  @Test
  void anAccessShowsItsStackAndHint() {
    leak(
        tracker -> {
          useFirst(tracker);
          tracker.record((ResourceLeakHint) () -> "named by itself");
        });
    awaitReports(1);
    String report = detector.traced.get(0);
    assertThat(report).containsSubsequence("#1", "named by itself", "#2", "first use", "Created:");
    assertThat(report).containsSubsequence("first use", "ResourceLeakDetectorTest.useFirst(");
  }

  private static void useFirst(ResourceLeakTracker<Resource> tracker) {
    tracker.record("first use");
  }

  @Tag("E3")
  @Test
  void theLastAccessesAreKeptAndEarlierOnesCounted() {
    leak(
        tracker -> {
          for (int i = 1; i <= 1_000; i++) {
            tracker.record("access " + i);
          }
        });
    awaitReports(1);
    String report = detector.traced.get(0);
    assertThat(report)
        .containsSubsequence(
            "access 1000\n", "access 999\n", "access 998\n", "access 997\n", "Created:");
    assertThat(report).doesNotContain("access 996\n");
    assertThat(report).contains((1_000 - DEFAULT_RECORDS) + " earlier accesses are not shown");
    assertThat(report).contains("cistern.leakDetection.targetRecords");
  }

  @Tag("E3")
  @Test
  void accessesByManyThreadsAreKeptAndCounted() throws Exception {
    int threads = 4;
    int accesses = 2_000;
    Resource resource = new Resource();
    ResourceLeakTracker<Resource> tracker = detector.trackForcibly(resource);
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> users = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      Thread user =
          new Thread(
              () -> {
                try {
                  start.await();
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
                for (int i = 0; i < accesses; i++) {
                  tracker.record();
                }
              });
      user.start();
      users.add(user);
    }
    start.countDown();
    for (Thread user : users) {
      user.join();
    }
    ResourceWatch<?> watch = (ResourceWatch<?>) tracker;
    assertThat(watch.dropped()).isEqualTo((long) threads * accesses - DEFAULT_RECORDS);
    assertThat(watch.accesses()).contains("Access #1", "Created:");
    assertThat(tracker.close(resource)).isTrue();
  }

  @Tag("E4")
  @Test
  void excludedMethodsAreNotShown() {
    ResourceLeakDetector.addExclusions(ResourceLeakDetectorTest.class, "noisyHelper");
    leak(ResourceLeakDetectorTest::noisyHelper);
    awaitReports(1);
    assertThat(detector.traced.get(0))
        .contains("in the noise", "ResourceLeakDetectorTest.excludedMethodsAreNotShown")
        .doesNotContain("noisyHelper", "ResourceWatch", "AccessRecord", ".watch(");
    assertThatThrownBy(
            () ->
                ResourceLeakDetector.addExclusions(
                    ResourceLeakDetectorTest.class, "noisyHelper", "noSuchMethod"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("noSuchMethod");
  }

  private static void noisyHelper(ResourceLeakTracker<Resource> tracker) {
    tracker.record("in the noise");
  }

  @Tag("E4")
  @Test
  void aReportIsLoggedOnceAndPassedToTheListener() {
    List<String> reported = new ArrayList<>();
    detector.setLeakListener((type, records) -> reported.add(type + ":" + records));
    for (int i = 0; i < 100; i++) {
      int accesses = i;
      leak(
          tracker -> {
            // Each leak has more of them, so that only the number of omitted records differs.
            for (int access = 0; access < DEFAULT_RECORDS + 2 * accesses; access++) {
              // Alternates, because equal records become one.
              tracker.record(access % 2 == 0 ? "alike" : "as well");
            }
          });
    }
    awaitReports(1);
    leak(tracker -> tracker.record("another"));
    awaitReports(2);
    assertThat(detector.traced).hasSize(2);
    assertThat(reported)
        .containsExactly("Resource:" + detector.traced.get(0), "Resource:" + last());
  }

  private String last() {
    return detector.traced.get(detector.traced.size() - 1);
  }

  @Tag("E4")
  @Test
  void theInitialHintIsShownWithTheCreation() {
    detector.initialHint = "as made by the test";
    leak(ResourceLeakDetectorTest::doNothing);
    awaitReports(1);
    assertThat(last()).containsSubsequence("Created:", "as made by the test", "\tat ");
  }

  @Tag("E4")
  @Test
  void leaksFoundWhileReportsAreOffAreForgotten() {
    detector.needed = false;
    leak(tracker -> tracker.record("unwanted"));
    GarbageCollection.until(
        () -> {
          Resource probe = new Resource();
          detector.trackForcibly(probe).close(probe);
          return detector.needReportCalls > 0;
        });
    detector.needed = true;
    leak(tracker -> tracker.record("wanted"));
    awaitReports(1);
    assertThat(last()).contains("wanted").doesNotContain("unwanted");
  }

  @Tag("E4")
  @Test
  void aLeakIsLoggedAsAnError() {
    Logger log = Logger.getLogger(ResourceLeakDetector.class.getName());
    List<LogRecord> records = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord logged) {
            records.add(logged);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    log.addHandler(handler);
    log.setUseParentHandlers(false);
    try {
      ResourceLeakDetector<Resource> logging =
          ResourceLeakDetectorFactory.instance().newResourceLeakDetector(Resource.class);
      logging.trackForcibly(new Resource()).record("{0} is no place for a value");
      GarbageCollection.until(
          () -> {
            Resource probe = new Resource();
            logging.trackForcibly(probe).close(probe);
            return !records.isEmpty();
          });
    } finally {
      log.removeHandler(handler);
      log.setUseParentHandlers(true);
    }
    LogRecord logged = records.get(0);
    assertThat(logged.getLevel()).isEqualTo(java.util.logging.Level.SEVERE);
    assertThat(logged.getMessage())
        .contains("LEAK: Resource.release()", "{0} is no place for a value", "Created:");
  }

  @Tag("E1")
  @Test
  void aFactoryOfOnesOwnMakesTheDetectors() {
    ResourceLeakDetectorFactory before = ResourceLeakDetectorFactory.instance();
    List<Integer> intervals = new ArrayList<>();
    try {
      ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(
          new ResourceLeakDetectorFactory() {
            @Override
            public <T> ResourceLeakDetector<T> newResourceLeakDetector(
                Class<T> resource, int samplingInterval, long maxActive) {
              intervals.add(samplingInterval);
              return new ResourceLeakDetector<>(resource, samplingInterval, maxActive);
            }
          });
      ResourceLeakDetectorFactory mine = ResourceLeakDetectorFactory.instance();
      assertThat(mine.newResourceLeakDetector(Resource.class, 16)).isNotNull();
      assertThat(mine.newResourceLeakDetector(Resource.class)).isNotNull();
      assertThat(intervals).containsExactly(16, 128);
      assertThatThrownBy(() -> ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(null))
          .isInstanceOf(NullPointerException.class);
    } finally {
      ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(Objects.requireNonNull(before));
    }
  }
}
