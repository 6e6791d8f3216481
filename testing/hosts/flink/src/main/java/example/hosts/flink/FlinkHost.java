/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.flink;

import example.hosts.common.EchoServer;
import example.hosts.common.Lifetime;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.minicluster.RpcServiceSharing;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * Passes the parts of each body through a job of two task managers, by the number of the part and
 * then by the number of the body, and returns what the state of the job has collected.
 */
public final class FlinkHost {
  private static final int TASK_MANAGERS = 2;
  private static final int PART_BYTES = 100_000;

  /** Bodies in progress, by number. The task managers are in this JVM. */
  static final Map<Long, CompletableFuture<byte[]>> BODIES = new ConcurrentHashMap<>();

  private static final AtomicLong NUMBERS = new AtomicLong();

  private FlinkHost() {}

  /** Takes no arguments. */
  public static void main(String[] arguments) throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(64));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(64));
    configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(16));
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(TASK_MANAGERS)
                .setNumSlotsPerTaskManager(1)
                .setRpcServiceSharing(RpcServiceSharing.DEDICATED)
                .setCommonBindAddress("127.0.0.1")
                .withRandomPorts()
                .build());
    cluster.start();
    cluster.submitJob(job().getStreamGraph().getJobGraph()).get();
    Lifetime.serve(EchoServer.start(FlinkHost::pass));
  }

  @SuppressWarnings("deprecation") // as of Parts
  private static StreamExecutionEnvironment job() {
    StreamExecutionEnvironment job =
        StreamExecutionEnvironment.createLocalEnvironment(TASK_MANAGERS);
    job.setBufferTimeout(0);
    job.addSource(new Parts())
        .keyBy(part -> part.number)
        .map(part -> part)
        .keyBy(part -> part.body)
        .process(new Bodies())
        .sinkTo(new DiscardingSink<>());
    return job;
  }

  private static byte[] pass(byte[] body) throws Exception {
    long number = NUMBERS.incrementAndGet();
    CompletableFuture<byte[]> passed = new CompletableFuture<>();
    BODIES.put(number, passed);
    int parts = (body.length + PART_BYTES - 1) / PART_BYTES;
    for (int i = 0; i < parts; i++) {
      int end = Math.min(body.length, (i + 1) * PART_BYTES);
      Parts.QUEUE.put(new Part(number, i, parts, Arrays.copyOfRange(body, i * PART_BYTES, end)));
    }
    return passed.get();
  }
}
