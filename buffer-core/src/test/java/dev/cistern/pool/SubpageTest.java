/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.PoolStat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Subpages and their bound objects. */
class SubpageTest {
  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  private final BufferPool pool = under.open();

  @Test
  @Tag("A7")
  void theSlotReleasedLastIsHandedOutFirst() {
    under.allocate(pool, 256, 3);
    Block last = under.allocate(pool, 256);
    under.release(last);
    assertThat(under.allocate(pool, 256)).isSameAs(last);
  }

  @Test
  @Tag("A11")
  void anObjectStaysBoundToItsSlot() {
    List<Block> first = under.allocate(pool, 1024, 50);
    under.release(first);
    Set<Block> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    seen.addAll(first);
    assertThat(under.allocate(pool, 1024, 50)).allMatch(seen::contains);
  }

  @Test
  @Tag("A11")
  void anUnboundSlotGetsANewObject() {
    Block watched = under.allocate(pool, 1024);
    watched.group.unbind(watched.index);
    under.release(watched);
    Block next = under.allocate(pool, 1024);
    assertThat(next).isNotSameAs(watched);
    assertThat(next.index).isEqualTo(watched.index);
  }

  /**
   * The subpages that a tiny allocation checks: each refill checks another subpage, and each used
   * subpage causes one refill, for any number of slots. Between refills, nothing is searched.
   */
  @ParameterizedTest
  @Tag("A5")
  @ValueSource(ints = {4 << 10, 8 << 10, 64 << 10, 1 << 20})
  void aTinyAllocationSearchesNothingForAnyPageSize(int pageBytes) {
    BufferPool ofPages =
        under.open(settings -> settings.pageBytes(pageBytes).chunkBytes(32 * pageBytes));
    int count = 3 * RemoteFreeList.MAX_SLOTS;
    List<Block> blocks = under.allocate(ofPages, 16, count);
    Set<SlotGroup> subpages = Collections.newSetFromMap(new IdentityHashMap<>());
    blocks.forEach(block -> subpages.add(block.group));
    PoolSnapshot filled = ofPages.snapshot();
    assertThat(filled.threadCacheMisses()).isEqualTo(subpages.size());
    assertThat(filled.get(PoolStat.THREAD_CACHE_REFILLS)).isEqualTo(subpages.size());
    long searches = ofPages.arenas[0].chunks.searches;
    int current = count - 1;
    Random random = new Random(pageBytes);
    int first = current;
    while (first > 0 && blocks.get(first - 1).group == blocks.get(current).group) {
      first--;
    }
    for (int i = 0; i < 10_000; i++) {
      int place = first + random.nextInt(current - first + 1);
      under.release(blocks.get(place));
      blocks.set(place, under.allocate(ofPages, 16));
    }
    PoolSnapshot after = ofPages.snapshot();
    assertThat(after.get(PoolStat.THREAD_CACHE_REFILLS)).isEqualTo(subpages.size());
    assertThat(ofPages.arenas[0].chunks.searches).isEqualTo(searches);
  }

  @Test
  @Tag("A5")
  void eachClassHasSubpagesAndALockOfItsOwn() {
    under.allocate(pool, 64);
    under.allocate(pool, 512);
    assertThat(pool.snapshot().subpages()).isEqualTo(2);
    Orphans[] orphans = pool.arenas[0].orphans;
    assertThat(orphans).hasSize(pool.sizeClasses.subpageCount());
    assertThat(Arrays.stream(orphans).distinct()).hasSameSizeAs(orphans);
  }

  @Test
  void aSubpageIsCutToTheRoomThatIsLeftBeforeAChunkIsAddedToMany() {
    assertThat(chunksWithAHoleForHalfASubpage(Arena.FEW_CHUNKS)).isEqualTo(Arena.FEW_CHUNKS);
  }

  @Test
  void aSubpageIsNotCutWhileTheChunksAreFew() {
    assertThat(chunksWithAHoleForHalfASubpage(Arena.FEW_CHUNKS - 1)).isEqualTo(Arena.FEW_CHUNKS);
  }

  /**
   * Fills chunks except for one hole, allocates slots for half a subpage, and returns the number of
   * chunks.
   */
  private long chunksWithAHoleForHalfASubpage(int chunks) {
    int chunkBytes = 32 * PoolUnderTest.PAGE;
    int holeBytes = 4 * PoolUnderTest.PAGE; // the first subpage of 1 KiB takes twice as much
    BufferPool small =
        under.open(settings -> settings.chunkBytes(chunkBytes).idleBytesPerThread(0));
    List<Block> runs = under.allocate(small, holeBytes, chunks * chunkBytes / holeBytes);
    assertThat(small.snapshot().reservedBytes()).isEqualTo((long) chunks * chunkBytes);
    under.release(runs.get(2));
    under.allocate(small, 1024, holeBytes / 1024);
    return PoolUnderTest.check(small).reservedBytes() / chunkBytes;
  }

  @Test
  @Tag("A5")
  void theLastSubpageOfAClassStays() {
    List<Block> blocks = under.allocate(pool, 4096, 200);
    under.release(blocks);
    pool.trimCurrentThreadCache();
    PoolSnapshot snapshot = PoolUnderTest.check(pool);
    assertThat(snapshot.subpages()).isOne();
    assertThat(snapshot.pinnedBytes()).isZero();
  }

  @Test
  void fillsSubpageAfterSubpageAndReusesThemAll() {
    List<Block> blocks = under.allocate(pool, 4096, 200);
    long reserved = pool.snapshot().reservedBytes();
    long subpages = pool.snapshot().subpages();
    assertThat(subpages).isGreaterThan(4);
    for (int round = 0; round < 5; round++) {
      under.release(blocks.subList(0, 199)); // one is kept: it pins only its own subpage
      PoolUnderTest.check(pool);
      List<Block> again = under.allocate(pool, 4096, 199);
      again.add(blocks.get(199));
      blocks = again;
    }
    assertThat(pool.snapshot().reservedBytes()).isEqualTo(reserved);
    assertThat(pool.snapshot().subpages()).isLessThanOrEqualTo(subpages); // small ones were freed
  }

  @Test
  @Tag("A8")
  void remoteFreesReturnToTheAllocatingThread() throws InterruptedException {
    List<Block> blocks = under.allocate(pool, 2048, 128); // whole subpages
    under.inOtherThread(() -> under.release(blocks));
    assertThat(pool.snapshot().remoteReleases()).isEqualTo(128);
    assertThat(PoolUnderTest.check(pool).pinnedBytes()).isZero();

    long reserved = pool.snapshot().reservedBytes();
    Set<Block> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    seen.addAll(blocks);
    assertThat(under.allocate(pool, 2048, 128)).allMatch(seen::contains);
    assertThat(pool.snapshot().reservedBytes()).isEqualTo(reserved);
  }

  @Test
  @Tag("A8")
  void aSlotWithoutANoticeIsFoundBeforeTheArenaIsUsed() throws InterruptedException {
    int slots = 64 << 10 >> 11;
    List<Block> blocks = under.allocate(pool, 2048, 4 * slots);
    Block one = blocks.get(0);
    under.inOtherThread(() -> under.release(one));
    assertThat(one.group.remoteState()).isEqualTo(RemoteFreeList.FULL);
    long misses = pool.snapshot().threadCacheMisses();
    List<Block> more = new ArrayList<>();
    while (pool.snapshot().threadCacheMisses() == misses) {
      more.add(under.allocate(pool, 2048));
    }
    assertThat(more).contains(one);
  }

  @Test
  @Tag("A8")
  void theOwnerGetsANoticeOfAFullSubpageOnceAnEighthIsFree() throws InterruptedException {
    int slots = 64 << 10 >> 11;
    List<Block> blocks = under.allocate(pool, 2048, 4 * slots);
    SlotGroup first = blocks.get(0).group;
    under.inOtherThread(() -> under.release(blocks.subList(0, slots / 8 - 1)));
    assertThat(first.remoteState()).isEqualTo(RemoteFreeList.FULL);
    assertThat(pool.snapshot().pinnedBytes()).isEqualTo((4L * slots - slots / 8 + 1) * 2048);

    under.inOtherThread(() -> under.release(blocks.get(slots / 8 - 1)));
    assertThat(first.remoteState()).isEqualTo(RemoteFreeList.NOTIFIED);
    assertThat(first.remoteCount()).isEqualTo(slots / 8);
  }

  @Test
  @Tag("A8")
  void theOwnerGetsANoticeOfTheFirstFreeSlotOfASmallFullSubpage() throws InterruptedException {
    List<Block> blocks = under.allocate(pool, 16 << 10, 64);
    under.inOtherThread(() -> under.release(blocks.get(0)));
    assertThat(blocks.get(0).group.slots).isLessThan(16);
    assertThat(blocks.get(0).group.remoteState()).isEqualTo(RemoteFreeList.NOTIFIED);
  }

  @Test
  @Tag("A8")
  void slotsWithoutANoticeAreUsedBeforeMoreMemory() throws InterruptedException {
    List<Block> blocks = new ArrayList<>(under.allocate(pool, 1024, 10_000));
    while (blocks.get(blocks.size() - 1).group.hasFree()) {
      blocks.add(under.allocate(pool, 1024));
    }
    Map<SlotGroup, Block> oneOfEach = new HashMap<>();
    blocks.forEach(block -> oneOfEach.put(block.group, block));
    under.inOtherThread(() -> oneOfEach.values().forEach(under::release));
    assertThat(oneOfEach.keySet())
        .hasSizeGreaterThan(30)
        .filteredOn(group -> group.remoteState() == RemoteFreeList.NOTIFIED)
        .isEmpty();

    long subpages = pool.snapshot().subpages();
    assertThat(under.allocate(pool, 1024, oneOfEach.size()))
        .containsExactlyInAnyOrderElementsOf(oneOfEach.values());
    assertThat(pool.snapshot().subpages()).isEqualTo(subpages);
  }

  @Test
  void aSubpageIsFreedEvenIfItsOwnerGotNoNotice() throws InterruptedException {
    int slots = 64 << 10 >> 11;
    List<Block> blocks = under.allocate(pool, 2048, 4 * slots);
    under.inOtherThread(() -> under.release(blocks.subList(0, slots / 8 - 1)));
    under.release(blocks.subList(slots / 8 - 1, blocks.size()));
    pool.trimCurrentThreadCache();
    PoolSnapshot after = PoolUnderTest.check(pool);
    assertThat(after.subpages()).isOne();
    assertThat(after.pinnedBytes()).isZero();
  }

  @Test
  void aTickFreesASubpageWhoseOwnerDoesNotAcceptItsNotice() throws InterruptedException {
    List<Block> blocks = under.allocate(pool, 8192, 2000);
    long reserved = pool.snapshot().reservedBytes();
    under.inOtherThread(() -> under.release(blocks));
    pool.tick();
    PoolSnapshot after = PoolUnderTest.check(pool);
    assertThat(after.pinnedBytes()).isZero();
    // A spare chunk and the chunk of the current subpage may be kept.
    assertThat(after.reservedBytes()).isLessThanOrEqualTo(2L * PoolUnderTest.CHUNK);
    assertThat(reserved).isGreaterThan(3L * PoolUnderTest.CHUNK);

    under.allocate(pool, 8192, 2000); // and the owner still allocates
    assertThat(PoolUnderTest.check(pool).pinnedBytes()).isEqualTo(2000 * 8192L);
  }

  @Test
  void theOwnerFreesEmptySubpagesBeyondASmallBudget() {
    BufferPool strict = under.open(settings -> settings.idleBytesPerThread(0));
    List<Block> blocks = under.allocate(strict, 8192, 2000);
    under.release(blocks);
    PoolSnapshot after = PoolUnderTest.check(strict);
    assertThat(after.subpages()).isOne();
    assertThat(after.reservedBytes()).isLessThanOrEqualTo(2L * PoolUnderTest.CHUNK);
  }

  @Test
  void aBlockKeepsItsIdentityWhenItOutgrowsItsSlot() throws InterruptedException {
    Block block = under.allocate(pool, 100);
    int before = block.slotBytes();
    under.inOtherThread(() -> block.grow(pool, 20_000, 7));
    assertThat(block.slotBytes()).isGreaterThan(before).isGreaterThanOrEqualTo(20_000);
    block.verify();
    block.grow(pool, 300_000, 8);
    block.grow(pool, 8 << 20, 9);
    block.verify();
    PoolUnderTest.check(pool);
  }

  @Test
  @Tag("A10")
  void anOrphanIsAdoptedByTheNextThreadThatNeedsItsClass() throws InterruptedException {
    List<Block> kept = new ArrayList<>();
    under.inOtherThread(() -> kept.add(under.allocate(pool, 8192)));
    pool.tick();
    assertThat(pool.snapshot().get(PoolStat.ORPHANED_SUBPAGES)).isOne();

    Block adopted = under.allocate(pool, 8192);
    assertThat(adopted.group).isSameAs(kept.get(0).group);
    PoolSnapshot after = PoolUnderTest.check(pool);
    assertThat(after.get(PoolStat.ORPHANED_SUBPAGES)).isZero();
    assertThat(after.get(PoolStat.ORPHAN_ADOPTIONS)).isOne();
  }

  @Test
  @Tag("A10")
  void theLastReleaseIntoAnOrphanFreesItsRun() throws InterruptedException {
    List<Block> kept = new ArrayList<>();
    under.inOtherThread(() -> kept.addAll(under.allocate(pool, 8192, 3)));
    pool.tick();
    assertThat(pool.snapshot().subpages()).isOne();
    under.release(kept);
    PoolSnapshot after = PoolUnderTest.check(pool);
    assertThat(after.subpages()).isZero();
    assertThat(after.get(PoolStat.ORPHANED_SUBPAGES)).isZero();
  }
}
