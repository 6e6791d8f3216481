/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.spark;

import example.hosts.common.EchoServer;
import example.hosts.common.Lifetime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * Shuffles the parts of each body between two executors in separate JVMs, and returns the body that
 * the driver collects.
 */
public final class SparkHost {
  private static final int PARTITIONS = 2;
  private static final int PART_BYTES = 100_000;

  private SparkHost() {}

  /** Takes no arguments. Executors write their logs below the directory of temporary files. */
  public static void main(String[] arguments) throws IOException {
    Path home = Files.createTempDirectory("spark");
    // A worker requires these, even if all jars are in the class path.
    Files.createDirectory(home.resolve("jars"));
    Files.createDirectories(home.resolve("launcher/target/scala-2.13"));
    System.setProperty("spark.testing", "true"); // takes the home from the next property
    System.setProperty("spark.test.home", home.toString());
    SparkConf conf =
        new SparkConf()
            .setMaster("local-cluster[2,1,1024]")
            .setAppName("host")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.log.level", "WARN")
            .set("spark.ui.enabled", "false")
            .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
            .set("spark.executor.extraJavaOptions", agents());
    JavaSparkContext spark = new JavaSparkContext(conf);
    // Otherwise, executors outlive the driver until they detect its end.
    Runtime.getRuntime().addShutdownHook(new Thread(spark::stop));
    Lifetime.serve(EchoServer.start(body -> shuffle(spark, body)));
  }

  /** Returns the agents of this JVM, for those of the executors. */
  private static String agents() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("-javaagent:"))
        .collect(Collectors.joining(" "));
  }

  private static byte[] shuffle(JavaSparkContext spark, byte[] body) {
    List<Tuple2<Integer, byte[]>> parts = new ArrayList<>();
    for (int start = 0; start < body.length; start += PART_BYTES) {
      int end = Math.min(body.length, start + PART_BYTES);
      parts.add(new Tuple2<>(start, Arrays.copyOfRange(body, start, end)));
    }
    ByteArrayOutputStream shuffled = new ByteArrayOutputStream(body.length);
    spark
        .parallelizePairs(parts, PARTITIONS)
        .sortByKey(true, PARTITIONS)
        .values()
        .collect()
        .forEach(shuffled::writeBytes);
    return shuffled.toByteArray();
  }
}
