/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.interleaving;

import java.util.List;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.TestConfig;
import org.openjdk.jcstress.infra.runners.TestList;
import org.openjdk.jcstress.os.AffinityMode;
import org.openjdk.jcstress.os.NodeType;
import org.openjdk.jcstress.os.SchedulingClass;
import org.openjdk.jcstress.vm.CompileMode;

/**
 * Runs of single cases in this JVM, for a fraction of a second each. The overhead of jcstress, a
 * JVM for each case and a search for the features of the JVM, takes longer than a case.
 */
final class ShortRun {
  // Few states at a time, because jcstress builds them 20,000 times to determine how many fit.
  private static final String[] OPTIONS = {
    "-m", "quick", "-iters", "4", "-time", "150", "-strideSize", "128", "-strideCount", "8"
  };

  private final Options options = new Options(OPTIONS);

  ShortRun() throws Exception {
    if (!options.parse()) {
      throw new AssertionError("jcstress refused its options");
    }
  }

  TestResult run(String name) throws Exception {
    TestInfo info = TestList.getInfo(name);
    SchedulingClass anyCores =
        new SchedulingClass(AffinityMode.GLOBAL, info.threads(), NodeType.PACKAGE);
    TestConfig config = new TestConfig(options, info, 0, List.of(), CompileMode.UNIFIED, anyCores);
    Runner<?> runner =
        Class.forName(info.generatedRunner())
            .asSubclass(Runner.class)
            .getConstructor(ForkedTestConfig.class)
            .newInstance(new ForkedTestConfig(config));
    TestResult result = runner.run();
    result.setConfig(config);
    return result;
  }
}
