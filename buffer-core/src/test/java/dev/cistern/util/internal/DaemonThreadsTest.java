/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.GarbageCollection;
import dev.cistern.testing.Latches;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that a thread keeps no state of the thread that starts it. */
class DaemonThreadsTest {
  private static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

  private final CountDownLatch end = new CountDownLatch(1);

  @AfterEach
  void endThreads() {
    end.countDown();
  }

  @SuppressWarnings("ThreadPriorityCheck") // the test shows that it is not inherited
  @Test
  void inheritsNothing() throws Exception {
    CompletableFuture<String> seen = new CompletableFuture<>();
    AtomicReference<Thread> made = new AtomicReference<>();
    ThreadGroup group = new ThreadGroup("guest");
    Thread guest =
        new Thread(
            group,
            () -> {
              INHERITED.set("the guest's");
              made.set(DaemonThreads.create("some task", () -> seen.complete(INHERITED.get())));
            });
    guest.setPriority(Thread.MIN_PRIORITY);
    guest.setContextClassLoader(new URLClassLoader(new URL[0]));
    guest.start();
    guest.join();
    Thread thread = made.get();
    assertThat(thread.getName()).isEqualTo("some task");
    assertThat(thread.isDaemon()).isTrue();
    assertThat(thread.getPriority()).isEqualTo(Thread.NORM_PRIORITY);
    assertThat(thread.getContextClassLoader()).isNull();
    assertThat(thread.getThreadGroup().getParent()).isNull();
    thread.start();
    assertThat(seen.get()).isNull();
  }

  /** Loader of a class that is on the stack when the thread is made. */
  private static final class GuestLoader extends ClassLoader {
    GuestLoader() {
      super(DaemonThreadsTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.equals(Guest.class.getName())) {
        return super.loadClass(name, resolve);
      }
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  /** Function that makes a thread; the loader above defines it. */
  public static final class Guest implements Function<Runnable, Thread> {
    @Override
    public Thread apply(Runnable task) {
      return DaemonThreads.create("outlives its guest", task);
    }
  }

  @SuppressWarnings("unchecked") // the class is such a function
  private static WeakReference<ClassLoader> startByGuest(Runnable task) throws Exception {
    GuestLoader loader = new GuestLoader();
    Class<?> guest = loader.loadClass(Guest.class.getName());
    assertThat(guest.getClassLoader()).isSameAs(loader);
    var made = (Function<Runnable, Thread>) guest.getConstructor().newInstance();
    made.apply(task).start();
    return new WeakReference<>(loader);
  }

  @Test
  void theLoaderOfTheFirstCallerCanBeCollected() throws Exception {
    WeakReference<ClassLoader> loader = startByGuest(() -> Latches.await(end, 600));
    GarbageCollection.until(() -> loader.get() == null);
  }
}
