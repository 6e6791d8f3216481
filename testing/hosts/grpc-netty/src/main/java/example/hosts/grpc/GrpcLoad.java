/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.grpc;

import example.hosts.common.Answers;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Eight connections at the same time, messages of 10 B to 5 MB, a client that requests no message
 * for a while, and calls that are cancelled. Every message that returns is compared.
 */
final class GrpcLoad {
  private static final int CONNECTIONS = 8;
  private static final int CALLS = 12;
  private static final int CANCELLED = 6;
  private static final int MIN_BYTES = 10;
  private static final int MAX_BYTES = 5_000_000;
  private static final long LIMIT_SECONDS = 60;

  /** Messages for the client that does not read: far more than the window of a stream. */
  private static final int HELD_MESSAGES = 40;

  private static final int HELD_BYTES = 64 << 10;

  /** Responses that other connections receive while that client does not read. */
  private static final int RESPONSES_MEANWHILE = 24;

  private final int port;
  private final long seed;
  private final Semaphore responses = new Semaphore(0);
  private final Map<String, byte[]> received = new ConcurrentSkipListMap<>();

  private GrpcLoad(int port, long seed) {
    this.port = port;
    this.seed = seed;
  }

  /** Returns the messages that were received. */
  static Map<String, byte[]> run(int port, long seed) throws IOException, InterruptedException {
    GrpcLoad load = new GrpcLoad(port, seed);
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int number = 0; number < CONNECTIONS; number++) {
        int connection = number;
        ends.add(
            threads.submit(
                () -> {
                  load.connection(connection);
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
      return load.received;
    } catch (ExecutionException e) {
      throw new IOException("load with seed " + seed + " failed", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private void connection(int number) throws IOException, InterruptedException {
    ManagedChannel channel =
        Grpc.newChannelBuilder("127.0.0.1:" + port, InsecureChannelCredentials.create())
            .maxInboundMessageSize(Answers.MAX_BODY_BYTES)
            .build();
    // The first values of Random are similar for consecutive seeds.
    Random random = new Random((seed + number) * 0x9E3779B97F4A7C15L);
    try {
      if (number == 0) {
        readLate(channel, random);
      }
      for (int call = 0; call < CALLS; call++) {
        byte[] message = new byte[size(number, call, random)];
        random.nextBytes(message);
        if (random.nextInt(CANCELLED) == 0) {
          cancel(channel, message);
          continue;
        }
        byte[] answer =
            ClientCalls.blockingUnaryCall(
                channel,
                Calls.ECHO,
                CallOptions.DEFAULT.withDeadlineAfter(LIMIT_SECONDS, TimeUnit.SECONDS),
                message);
        keep("connection %d, call %02d".formatted(number, call), message, answer);
      }
    } finally {
      channel.shutdownNow().awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
  }

  private void keep(String name, byte[] sent, byte @Nullable [] answer) throws IOException {
    if (!Arrays.equals(sent, answer)) {
      throw new IOException(name + ": the message of " + sent.length + " B returned changed");
    }
    received.put(name, sent);
    responses.release();
  }

  private static int size(int number, int call, Random random) {
    if (call == 0 && number < 2) {
      return number == 0 ? MAX_BYTES : MIN_BYTES;
    }
    double ratio = (double) MAX_BYTES / MIN_BYTES;
    return (int) (MIN_BYTES * Math.pow(ratio, random.nextDouble()));
  }

  /** Cancels a stream after its first message. */
  private static void cancel(ManagedChannel channel, byte[] message)
      throws IOException, InterruptedException {
    Listener listener = new Listener();
    ClientCall<byte[], byte[]> call = channel.newCall(Calls.CHAT, CallOptions.DEFAULT);
    call.start(listener, new Metadata());
    call.sendMessage(message);
    call.sendMessage(message);
    call.request(1);
    listener.next();
    call.cancel("the load cancels this call", null);
    listener.awaitEnd();
  }

  /** Sends messages, and requests none until other connections have received theirs. */
  private void readLate(ManagedChannel channel, Random random)
      throws IOException, InterruptedException {
    Listener listener = new Listener();
    ClientCall<byte[], byte[]> call = channel.newCall(Calls.CHAT, CallOptions.DEFAULT);
    call.start(listener, new Metadata());
    List<byte[]> messages = new ArrayList<>();
    for (int i = 0; i < HELD_MESSAGES; i++) {
      byte[] message = new byte[HELD_BYTES];
      random.nextBytes(message);
      messages.add(message);
      call.sendMessage(message);
    }
    call.halfClose();
    if (!responses.tryAcquire(RESPONSES_MEANWHILE, LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("fewer than " + RESPONSES_MEANWHILE + " responses of others");
    }
    call.request(HELD_MESSAGES + 1);
    for (int i = 0; i < HELD_MESSAGES; i++) {
      keep("late message %02d".formatted(i), messages.get(i), listener.next());
    }
    listener.awaitEnd();
  }

  /** Keeps what it receives. */
  private static final class Listener extends ClientCall.Listener<byte[]> {
    private final LinkedBlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
    private final CountDownLatch end = new CountDownLatch(1);

    byte[] next() throws IOException, InterruptedException {
      byte[] message = messages.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
      if (message == null) {
        throw new IOException("no message within " + LIMIT_SECONDS + " s");
      }
      return message;
    }

    void awaitEnd() throws IOException, InterruptedException {
      if (!end.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("the call did not end within " + LIMIT_SECONDS + " s");
      }
    }

    @Override
    public void onMessage(byte[] message) {
      messages.add(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      end.countDown();
    }
  }
}
