/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.grpc;

import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Calls servers. Each line of the standard input is a port and a file. For each line, the client
 * makes all calls, writes the name, the length and the bytes of each response to the file, and
 * prints {@code done}. With a seed as its argument, the calls are those of {@link GrpcLoad}.
 */
public final class GrpcClient {
  private static final int[] MESSAGES = {0, 1, 700, 16 << 10, 1 << 20};
  private static final int SMALL_CALLS = 20;
  private static final int CHAT_MESSAGES = 16;
  private static final long LIMIT_SECONDS = 30;

  private final ManagedChannel channel;
  private final DataOutputStream out;

  private GrpcClient(ManagedChannel channel, DataOutputStream out) {
    this.channel = channel;
    this.out = out;
  }

  /** Takes the seed of a load, or no argument. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ", 2);
      int port = Integer.parseInt(words[0]);
      Path file = Path.of(words[1]);
      if (arguments.length == 0) {
        call(port, file);
      } else {
        load(port, Long.parseLong(arguments[0]), file);
      }
      System.out.println("done");
    }
  }

  private static void call(int port, Path file) throws IOException, InterruptedException {
    ManagedChannel channel =
        Grpc.newChannelBuilder("127.0.0.1:" + port, InsecureChannelCredentials.create()).build();
    try (var out = new DataOutputStream(Files.newOutputStream(file))) {
      new GrpcClient(channel, out).call();
    } finally {
      channel.shutdownNow().awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static void load(int port, long seed, Path file)
      throws IOException, InterruptedException {
    try (var out = new DataOutputStream(Files.newOutputStream(file))) {
      for (var entry : GrpcLoad.run(port, seed).entrySet()) {
        keep(out, entry.getKey(), entry.getValue());
      }
    }
  }

  private void call() throws IOException, InterruptedException {
    for (int i = 0; i < SMALL_CALLS; i++) {
      keep("small " + i, echo(new byte[] {1, 2, 3}));
    }
    for (int length : MESSAGES) {
      keep("echo " + length, echo(message(length)));
    }
    Iterator<byte[]> parts =
        ClientCalls.blockingServerStreamingCall(
            channel, Calls.STREAM, CallOptions.DEFAULT, new byte[0]);
    for (int part = 0; parts.hasNext(); part++) {
      keep("part " + part, parts.next());
    }
    chat();
  }

  private byte[] echo(byte[] message) {
    return ClientCalls.blockingUnaryCall(channel, Calls.ECHO, CallOptions.DEFAULT, message);
  }

  private void chat() throws IOException, InterruptedException {
    Inbox inbox = new Inbox();
    StreamObserver<byte[]> server =
        ClientCalls.asyncBidiStreamingCall(channel.newCall(Calls.CHAT, CallOptions.DEFAULT), inbox);
    for (int i = 0; i < CHAT_MESSAGES; i++) {
      server.onNext(message(i * 1_000));
      keep("chat " + i, inbox.next());
    }
    server.onCompleted();
    keep("end of chat", inbox.next());
  }

  private void keep(String name, byte[] answer) throws IOException {
    keep(out, name, answer);
  }

  private static void keep(DataOutputStream out, String name, byte[] answer) throws IOException {
    out.writeUTF(name);
    out.writeInt(answer.length);
    out.write(answer);
  }

  private static byte[] message(int length) {
    byte[] message = new byte[length];
    new Random(length).nextBytes(message);
    return message;
  }

  /** The received messages, in order. The end of the call and a failure are messages, too. */
  private static final class Inbox implements StreamObserver<byte[]> {
    private final BlockingQueue<byte[]> messages = new ArrayBlockingQueue<>(CHAT_MESSAGES + 1);

    byte[] next() throws IOException, InterruptedException {
      byte[] message = messages.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
      if (message == null) {
        throw new IOException("no answer within " + LIMIT_SECONDS + " s");
      }
      return message;
    }

    @Override
    public void onNext(byte[] message) {
      messages.add(message);
    }

    @Override
    public void onError(Throwable failure) {
      messages.add(failure.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void onCompleted() {
      messages.add("end".getBytes(StandardCharsets.UTF_8));
    }
  }
}
