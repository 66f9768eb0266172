package dev.weir.state;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.state.query.FilterParser;
import dev.weir.testing.Futures;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTest extends StateTestBase {
  private static final FactoryOptions INDEXED =
      new FactoryOptions().setIndexes(List.of("color", "km", "owner.name", "sold"));

  private static final List<String> COLORS = List.of("red", "green", "blue", "rose");

  private DocumentFactory cars(int count) {
    return cars(count, INDEXED);
  }

  private DocumentFactory cars(int count, FactoryOptions options) {
    DocumentFactory cars = factory("cars", options);
    IntStream.range(0, count)
        .mapToObj(n -> cars.put(key(n), car(n)))
        .toList()
        .forEach(StateTestBase::done);
    return cars;
  }

  private static String key(int n) {
    return String.format("car-%05d", n);
  }

  private static JsonObject car(int n) {
    JsonObject car =
        new JsonObject().put("n", n).put("color", COLORS.get(n % 4)).put("sold", n % 3 == 0);
    if (n % 5 != 0) {
      car.put("km", (n * 7919) % 1_000 - 200);
    }
    return car.put("owner", new JsonObject().put("name", "An" + (char) ('a' + n % 26)));
  }

  private static List<Integer> numbers(QueryPage page) {
    return page.documents().stream().map(found -> found.json().getInteger("n")).toList();
  }

  private static List<Integer> all(DocumentFactory factory, Query query) {
    List<Integer> numbers = new ArrayList<>();
    Query next = new Query(query);
    do {
      QueryPage page = done(factory.query(next));
      assertThat(page.documents().size()).isLessThanOrEqualTo(query.getLimit());
      numbers.addAll(numbers(page));
      next.setCursor(page.cursor());
    } while (next.getCursor() != null);
    return numbers;
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "color = 'red'",
        "color = \"red\" and km >= 500",
        "km >= 0 and km < 100",
        "km = 519",
        "km > 1e2 and km <= 200.5",
        "color ^= 'r'",
        "color = 'red' or color = 'blue'",
        "color = 'red' or km > 700",
        "(color = 'red' or color = 'rose') and sold = true",
        "owner.name = 'Anb'",
        "owner.name > 'Anx'",
        "color = 7",
        "km = '519'",
        "color > 'red' and color < 'blue'",
        "sold = true and sold = false",
        " "
      })
  void aFilterFindsWhatALookAtEachDocumentFinds(String filter) {
    findsWhatALookAtEachDocumentFinds(filter, cars(400));
    Futures.result("the store closes", documents.close());
    open(options().setDirectory(null));
    FactoryOptions inMemory = new FactoryOptions(INDEXED).setPersisted(false);
    findsWhatALookAtEachDocumentFinds(filter, cars(400, inMemory));
  }

  private static void findsWhatALookAtEachDocumentFinds(String filter, DocumentFactory cars) {
    Query query = new Query().setFilter(filter).setLimit(7);
    List<Integer> found = all(cars, query);
    List<Integer> expected =
        IntStream.range(0, 400).filter(n -> matches(filter, car(n))).boxed().toList();
    assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(done(cars.count(query))).isEqualTo(found.size());
    assertThat(all(cars, new Query(query).setDescending(true)))
        .containsExactlyElementsOf(reversed(found));
  }

  private static boolean matches(String filter, JsonObject car) {
    return FilterParser.parse(filter).test(car);
  }

  private static List<Integer> reversed(List<Integer> numbers) {
    List<Integer> reversed = new ArrayList<>(numbers);
    Collections.reverse(reversed);
    return reversed;
  }

  @Test
  void documentsAreSortedByAnIndexedField() {
    DocumentFactory cars = cars(300);
    List<Integer> sorted =
        IntStream.range(0, 300)
            .filter(n -> n % 5 != 0)
            .boxed()
            .sorted(
                Comparator.comparing((Integer n) -> car(n).getInteger("km"))
                    .thenComparing(QueryTest::key))
            .toList();
    Query query = new Query().setSort("km").setLimit(11);
    assertThat(all(cars, query)).containsExactlyElementsOf(sorted);
    assertThat(all(cars, query.setFilter("color = 'red'")))
        .containsExactlyElementsOf(sorted.stream().filter(n -> n % 4 == 0).toList());
    assertThat(all(cars, query.setDescending(true)))
        .containsExactlyElementsOf(reversed(sorted.stream().filter(n -> n % 4 == 0).toList()));
  }

  @Test
  void aCursorIsStableWhileDocumentsComeAndGo() {
    DocumentFactory cars = cars(100);
    Query query = new Query().setSort("km").setLimit(10);
    QueryPage first = done(cars.query(query));
    first.documents().forEach(found -> done(cars.delete(found.key())));
    QueryPage second = done(cars.query(query.setCursor(first.cursor())));
    Query fresh = new Query().setSort("km").setLimit(10);
    assertThat(numbers(second)).isEqualTo(numbers(done(cars.query(fresh))));
  }

  @Test
  void aWriteThatCompletedIsFoundAndADeletedOrChangedDocumentIsNot() {
    DocumentFactory cars = factory("cars", INDEXED);
    Query red = new Query().setFilter("color = 'red'");
    Query blue = new Query().setFilter("color = 'blue'");
    for (int i = 0; i < 50; i++) {
      done(cars.put("a", json("{'color':'red','n':1}")));
      assertThat(done(cars.count(red))).isEqualTo(1);
      done(cars.merge("a", json("{'color':'blue'}")));
      assertThat(done(cars.count(red))).isZero();
      assertThat(done(cars.count(blue))).isEqualTo(1);
      done(cars.delete("a"));
      assertThat(done(cars.count(blue))).isZero();
      assertThat(done(cars.count(new Query()))).isZero();
    }
  }

  @Test
  void aFieldThatIsNewOrGoneIsIndexedOrForgottenWhenTheFactoryOpens() {
    cars(2_500);
    reopen();
    DocumentFactory cars = factory("cars", new FactoryOptions().setIndexes(List.of("n", "color")));
    assertThat(all(cars, new Query().setFilter("n >= 2490"))).hasSize(10);
    assertThat(done(cars.count(new Query().setFilter("color = 'red'")))).isEqualTo(625);
    assertFails(cars.count(new Query().setFilter("km = 1")), BAD_REQUEST, "has no index on km");
    done(cars.put(key(1), json("{'n':1,'km':-5000}")));
    reopen();
    cars = factory("cars", INDEXED);
    assertThat(all(cars, new Query().setFilter("km < -200"))).containsExactly(1);
    assertThat(done(cars.count(new Query().setFilter("km >= -200")))).isEqualTo(1_999);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "colour = 'red'      | factory cars has no index on colour, indexed are: color, km, owner",
        "color               | the filter has a mistake at its end, expected is one of = <",
        "color = red         | the filter has a mistake at character 8 (red), expected is a number",
        "color == 'red'      | the filter has a mistake at character 8 (=), expected is a value",
        "color = 'red        | the filter cannot be read at character 8",
        "(color = 'red'      | the filter has a mistake at its end, expected is \")\"",
        "color = 'red')      | the filter has a mistake at character 14 ()), expected is the end",
        "km ^= 7             | expected is a text in quotes",
        "and                 | expected is one of",
        "km = NaN            | expected is a number",
        "km = 1 km = 2       | expected is the end"
      })
  void aFilterThatIsWrongIsRefusedWithItsPlace(String filter, String message) {
    DocumentFactory cars = factory("cars", INDEXED);
    assertFails(cars.query(new Query().setFilter(filter)), BAD_REQUEST, message);
    assertFails(cars.count(new Query().setFilter(filter)), BAD_REQUEST, message);
  }

  @Test
  void aHugeFilterIsRefused() {
    DocumentFactory cars = factory("cars", INDEXED);
    Query deep = new Query().setFilter("(".repeat(5_000) + "km = 1" + ")".repeat(4_000));
    assertFails(cars.query(deep), BAD_REQUEST, "50 parentheses");
    Query large = new Query().setFilter("km = " + "1".repeat(20_000));
    assertFails(cars.query(large), BAD_REQUEST, "20005 characters");
    assertFails(cars.query(new Query().setSort("n")), BAD_REQUEST, "has no index on n");
  }

  @Test
  void aCursorOfAnotherQueryIsRefused() {
    DocumentFactory cars = cars(30);
    QueryPage page = done(cars.query(new Query().setSort("km").setLimit(5)));
    for (String cursor : List.of(page.cursor(), "", "!", "AAAA", "AAAAAAAAAA")) {
      assertFails(
          cars.query(new Query().setCursor(cursor)),
          BAD_REQUEST,
          "the cursor is not one of this query");
    }
  }

  @Test
  void longTextsAndLargeNumbersAreTold() {
    DocumentFactory cars = factory("cars", INDEXED);
    String text = "x".repeat(300);
    done(cars.put("a", new JsonObject().put("n", 1).put("color", text + "a")));
    done(cars.put("b", new JsonObject().put("n", 2).put("color", text + "b")));
    done(cars.put("c", new JsonObject().put("n", 3).put("km", (1L << 53) + 1)));
    done(cars.put("d", new JsonObject().put("n", 4).put("km", 1L << 53)));
    assertThat(all(cars, new Query().setFilter("color = '" + text + "b'"))).containsExactly(2);
    assertThat(all(cars, new Query().setFilter("color < '" + text + "b'"))).containsExactly(1);
    assertThat(all(cars, new Query().setFilter("color ^= '" + text + "'"))).containsExactly(1, 2);
    assertThat(all(cars, new Query().setFilter("km > " + (1L << 53)))).containsExactly(3);
    assertThat(all(cars, new Query().setSort("km"))).containsExactly(4, 3);
    String odd = "it's \\ \"x\" (a=b)\0\u20ac";
    done(cars.put("e", new JsonObject().put("n", 5).put("color", odd)));
    assertThat(all(cars, new Query().setFilter("color = " + Query.quote(odd)))).containsExactly(5);
  }

  @Test
  void randomFiltersFindWhatALookAtEachDocumentFinds() {
    DocumentFactory cars = cars(500);
    Random random = new Random(4711);
    for (int i = 0; i < 60; i++) {
      String filter = filter(random, 3);
      Predicate<JsonObject> test = FilterParser.parse(filter)::test;
      List<Integer> expected =
          IntStream.range(0, 500).filter(n -> test.test(car(n))).boxed().toList();
      assertThat(all(cars, new Query().setFilter(filter).setLimit(37)))
          .as(filter)
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private static String filter(Random random, int depth) {
    if (depth == 0 || random.nextInt(3) == 0) {
      return switch (random.nextInt(5)) {
        case 0 -> "color = '" + COLORS.get(random.nextInt(4)) + "'";
        case 1 -> "km < " + (random.nextInt(1_000) - 200);
        case 2 -> "km >= " + (random.nextInt(1_000) - 200) + ".5";
        case 3 -> "sold = " + random.nextBoolean();
        default -> "owner.name ^= 'An" + (char) ('a' + random.nextInt(26)) + "'";
      };
    }
    String word = random.nextBoolean() ? " and " : " or ";
    return "(" + filter(random, depth - 1) + word + filter(random, depth - 1) + ")";
  }

  @Test
  void queriesAreReachedByTheEventBus() {
    cars(20);
    Message<JsonObject> page =
        done(
            vertx
                .eventBus()
                .request(
                    "documents.cars",
                    json("{'filter':'color = \\'red\\'','limit':2}".replace("\\'", "\\\"")),
                    new DeliveryOptions().addHeader("action", "query")));
    assertThat(page.body().getJsonArray("documents")).hasSize(2);
    assertThat(page.body().getJsonArray("documents").getJsonObject(0).getString("key"))
        .isEqualTo("car-00000");
    assertThat(page.body().getString("cursor")).isNotBlank();
    Message<JsonObject> count =
        done(
            vertx
                .eventBus()
                .request(
                    "documents.cars", null, new DeliveryOptions().addHeader("action", "count")));
    assertThat(count.body()).isEqualTo(json("{'count':20}"));
  }
}
