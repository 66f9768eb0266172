package dev.weir.bench.persistence.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.load.Reply;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Shape;
import dev.weir.bench.persistence.store.je.JeIndexedStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexedDocumentsTest {
  @TempDir private Path directory;

  @Test
  void bothSidesFindTheDocumentsThatTheyHaveCreated() throws Exception {
    try (IndexedDocuments store = new IndexedFactory(directory.resolve("store"), 309);
        IndexedDocuments floor = new IndexedFloor(directory, 309)) {
      for (IndexedDocuments side : List.of(store, floor)) {
        for (int i = 0; i < 12; i++) {
          assertThat(side.createPart().verdict().reasons()).isEmpty();
        }
        assertThat(side.counted()).isEqualTo(60);
        assertThat(side.createRest().reasons()).isEmpty();
        assertThat(side.count()).isEqualTo(300);
        assertThat(side.equality(200, null).verdict().reasons()).isEmpty();
        assertThat(side.range(200, null).verdict().reasons()).isEmpty();
      }
    }
  }

  @Test
  void anAnswerWithoutTheDocumentIsAFault() throws Exception {
    try (IndexedDocuments floor = new IndexedFloor(directory, 300)) {
      floor.clear();
      RoundResult result = floor.equality(10, null);
      assertThat(result.tally().good()).isZero();
      assertThat(result.verdict().failed()).isTrue();
    }
    Function<String, String> key = Function.identity();
    assertThat(IndexedDocuments.judge(List.of("key-3", "key-4"), 2, key, 3)).isEqualTo(Reply.OK);
    assertThat(IndexedDocuments.judge(List.of("key-4", "key-5"), 2, key, 3))
        .isEqualTo(Reply.CORRUPT);
    assertThat(IndexedDocuments.judge(List.of("key-3"), 2, key, 3)).isEqualTo(Reply.CORRUPT);
  }

  @Test
  void theFloorHandsOverTheBytesThatItWasGivenInTheOrderOfTheNumbers() {
    LogSpec spec = LogSpec.of(Shape.STORE, Flush.OS, 10, 10, Long.MAX_VALUE);
    try (JeIndexedStore store = new JeIndexedStore(directory, spec, 8 << 20)) {
      store.clear();
      for (long n : List.of(300L, 2L, 10L, 1L)) {
        store.put("key-" + n, bytes("body " + n), n, "group");
      }
      store.commit();
      assertThat(store.count()).isEqualTo(4);
      assertThat(texts(store.find(10))).containsExactly("key-10 body 10");
      assertThat(store.find(3)).isEmpty();
      assertThat(texts(store.findFrom(2, 2))).containsExactly("key-2 body 2", "key-10 body 10");
      assertThat(texts(store.findFrom(11, 2))).containsExactly("key-300 body 300");
      store.clear();
      assertThat(store.findFrom(0, 1)).isEmpty();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> texts(List<Map.Entry<String, byte[]>> found) {
    return found.stream()
        .map(one -> one.getKey() + " " + new String(one.getValue(), StandardCharsets.UTF_8))
        .toList();
  }
}
