/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer.search;

import java.util.ArrayDeque;
import java.util.Arrays;

/** A factory of searches by the algorithm of Aho and Corasick: Efficient string matching (1975). */
public class AhoCorasicSearchProcessorFactory extends AbstractMultiSearchProcessorFactory {
  private static final int BYTE_VALUES = 256;
  private static final int NONE = -1;
  private static final int ROOT = 0;

  /** The next state for each state and byte. A state is a prefix of a needle. */
  private final int[] next;

  /** The longest needle that each state ends with, or -1. */
  private final int[] found;

  AhoCorasicSearchProcessorFactory(byte[]... needles) {
    int maxStates = 1;
    for (byte[] needle : needles) {
      if (needle.length == 0) {
        throw new IllegalArgumentException("a needle is empty (expected: 1 byte or more)");
      }
      maxStates = Math.addExact(maxStates, needle.length);
    }
    int[] tree = new int[Math.multiplyExact(maxStates, BYTE_VALUES)];
    int[] ends = new int[maxStates];
    Arrays.fill(tree, NONE);
    Arrays.fill(ends, NONE);
    int states = 1;
    for (int id = 0; id < needles.length; id++) {
      int state = ROOT;
      for (byte value : needles[id]) {
        int edge = edge(state, value);
        if (tree[edge] == NONE) {
          tree[edge] = states++;
        }
        state = tree[edge];
      }
      ends[state] = id;
    }
    next = Arrays.copyOf(tree, states * BYTE_VALUES);
    found = Arrays.copyOf(ends, states);
    link(states);
  }

  private static int edge(int state, byte value) {
    return state * BYTE_VALUES + (value & 0xFF);
  }

  /**
   * Adds the edges that the tree lacks: each state gets those of the longest other state that is
   * its suffix. The order is breadth first, because that state is shorter and so already complete.
   */
  private void link(int states) {
    int[] suffixes = new int[states];
    ArrayDeque<Integer> toDo = new ArrayDeque<>();
    toDo.add(ROOT);
    while (!toDo.isEmpty()) {
      int state = toDo.remove();
      for (int value = 0; value < BYTE_VALUES; value++) {
        int edge = edge(state, (byte) value);
        int fallback = state == ROOT ? ROOT : next[edge(suffixes[state], (byte) value)];
        int child = next[edge];
        if (child == NONE) {
          next[edge] = fallback;
        } else {
          suffixes[child] = fallback;
          found[child] = found[child] == NONE ? found[fallback] : found[child];
          toDo.add(child);
        }
      }
    }
  }

  @Override
  public Processor newSearchProcessor() {
    return new Processor(this);
  }

  /** The state of a search. */
  public static class Processor implements MultiSearchProcessor {
    private final AhoCorasicSearchProcessorFactory factory;
    private int state = ROOT;

    Processor(AhoCorasicSearchProcessorFactory factory) {
      this.factory = factory;
    }

    @Override
    public boolean process(byte value) {
      state = factory.next[edge(state, value)];
      return factory.found[state] == NONE;
    }

    @Override
    public int getFoundNeedleId() {
      return factory.found[state];
    }

    @Override
    public void reset() {
      state = ROOT;
    }
  }
}
