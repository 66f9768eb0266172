package dev.weir.state;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;
import static dev.weir.state.DocumentFailure.NOT_FOUND;
import static dev.weir.state.DocumentFailure.PATCH_FAILED;
import static dev.weir.state.DocumentFailure.TOO_LARGE;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PatchTest extends StateTestBase {
  private static final int COPIES = 40;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':'b'}             | {'a':'c'}                  | {'a':'c'}",
        "{'a':'b'}             | {'b':'c'}                  | {'a':'b','b':'c'}",
        "{'a':'b'}             | {'a':null}                 | {}",
        "{'a':'b','b':'c'}     | {'a':null}                 | {'b':'c'}",
        "{'a':['b']}           | {'a':'c'}                  | {'a':'c'}",
        "{'a':'c'}             | {'a':['b']}                | {'a':['b']}",
        "{'a':{'b':'c'}}       | {'a':{'b':'d','c':null}}   | {'a':{'b':'d'}}",
        "{'a':[{'b':'c'}]}     | {'a':[1]}                  | {'a':[1]}",
        "{'e':null}            | {'a':1}                    | {'e':null,'a':1}",
        "{}                    | {'a':{'bb':{'ccc':null}}}  | {'a':{'bb':{}}}",
        "{'a':'x'}             | {'a':{'b':1}}              | {'a':{'b':1}}"
      })
  void aMergePatchIsAppliedAsTheRfcSays(String before, String patch, String after) {
    DocumentFactory cars = factory("cars");
    done(cars.put("a", json(before)));
    assertThat(done(cars.merge("a", json(patch))).json()).isEqualTo(json(after));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':1}          | [{'op':'add','path':'/b','value':2}]                | {'a':1,'b':2}",
        "{'a':[1,3]}      | [{'op':'add','path':'/a/1','value':2}]              | {'a':[1,2,3]}",
        "{'a':[1]}        | [{'op':'add','path':'/a/-','value':2}]              | {'a':[1,2]}",
        "{'a':1}          | [{'op':'add','path':'/a','value':null}]             | {'a':null}",
        "{'a':1,'b':2}    | [{'op':'remove','path':'/a'}]                       | {'b':2}",
        "{'a':[1,2,3]}    | [{'op':'remove','path':'/a/1'}]                     | {'a':[1,3]}",
        "{'a':1}          | [{'op':'replace','path':'/a','value':{'b':[]}}]     | {'a':{'b':[]}}",
        "{'a':1}          | [{'op':'replace','path':'','value':{'z':1}}]        | {'z':1}",
        "{'a':1}          | [{'op':'move','from':'/a','path':'/ab'}]            | {'ab':1}",
        "{'a':{'b':1}}    | [{'op':'move','from':'/a/b','path':'/b'}]           | {'a':{},'b':1}",
        "{'a':[1,2,3]}    | [{'op':'move','from':'/a/0','path':'/a/2'}]         | {'a':[2,3,1]}",
        "{'a':{'b':1}}    | [{'op':'copy','from':'/a','path':'/c'}]             |"
            + " {'a':{'b':1},'c':{'b':1}}",
        "{'a':1}          | [{'op':'test','path':'/a','value':1},{'op':'remove','path':'/a'}] | {}",
        "{'a/b':1,'m~n':2} | [{'op':'remove','path':'/a~1b'},{'op':'remove','path':'/m~0n'}] | {}",
        "{'a':1}          | []                                                  | {'a':1}"
      })
  void aJsonPatchIsAppliedAsTheRfcSays(String before, String patch, String after) {
    DocumentFactory cars = factory("cars");
    done(cars.put("a", json(before)));
    assertThat(done(cars.patch("a", array(patch))).json()).isEqualTo(json(after));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[{'op':'remove','path':'/none'}]                              | operation 0 of the patch",
        "[{'op':'add','path':'/b','value':1},{'op':'replace','path':'/none','value':1}] | operation"
            + " 1",
        "[{'op':'test','path':'/a','value':2}]                         | operation 0",
        "[{'op':'add','path':'/list/9','value':2}]                     | operation 0",
        "[{'op':'remove','path':'/list/-'}]                            | operation 0",
        "[{'op':'remove','path':'/list/01'}]                           | operation 0",
        "[{'op':'add','path':'/none/deep','value':2}]                  | operation 0",
        "[{'op':'add','path':'a','value':2}]                           | operation 0",
        "[{'op':'add','path':'/b'}]                                    | operation 0",
        "[{'op':'fly','path':'/b'}]                                    | operation 0",
        "[{'path':'/b'}]                                               | operation 0",
        "[{'op':7,'path':'/b'}]                                        | operation 0",
        "[{'op':'move','path':'/b'}]                                   | operation 0",
        "[{'op':'move','from':'/o','path':'/o/x'}]                     | cannot be moved into"
            + " itself",
        "[{'op':'copy','from':'/none','path':'/x'}]                    | operation 0",
        "[{'op':'remove','path':''}]                                   | operation 0",
        "[{'op':'replace','path':'','value':[1]}]                      | makes an array",
        "[{'op':'replace','path':'','value':1}]                        | operation 0"
      })
  void aPatchThatDoesNotApplyChangesNothing(String patch, String message) {
    DocumentFactory cars = factory("cars");
    done(cars.put("a", json("{'a':1,'list':[1],'o':{}}")));
    assertFails(cars.patch("a", array(patch)), PATCH_FAILED, message);
    assertThat(done(cars.get("a")).version()).isEqualTo(1);
    assertThat(done(cars.get("a")).json()).isEqualTo(json("{'a':1,'list':[1],'o':{}}"));
  }

  /** Each step copies the document into itself: 40 steps make 2^40 values of it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPatchThatMakesTooMuchOfADocumentIsRefused(boolean persisted) {
    DocumentFactory cars = factory("cars", new FactoryOptions().setPersisted(persisted));
    done(cars.put("a", json("{'n':1}")));
    JsonArray patch = new JsonArray();
    for (int i = 0; i < COPIES; i++) {
      patch.add(json("{'op':'copy','from':'','path':'/k" + i + "'}"));
    }
    assertFails(cars.patch("a", patch), TOO_LARGE, "1048576");
    assertThat(done(cars.get("a")).json()).isEqualTo(json("{'n':1}"));
  }

  @Test
  void aPatchThatNestsADocumentTooDeeplyIsRefused() {
    DocumentFactory cars = factory("cars");
    done(cars.put("a", json("{}")));
    JsonArray patch = new JsonArray();
    for (int i = 0; i < 20_000; i++) {
      patch.add(json("{'op':'copy','from':'','path':'/k'}"));
    }
    assertFails(cars.patch("a", patch), PATCH_FAILED, "nested");
  }

  @Test
  void aPatchThatIsNoPatchIsRefused() {
    DocumentFactory cars = factory("cars");
    done(cars.put("a", json("{}")));
    assertFails(cars.patch("a", new JsonArray().add(7)), BAD_REQUEST, "operation 0 of the patch");
    assertFails(cars.patch("b", new JsonArray()), NOT_FOUND, "document b does not exist");
    assertFails(cars.merge("b", json("{}")), NOT_FOUND, "document b does not exist");
  }

  private static JsonArray array(String text) {
    return new JsonArray(text.replace('\'', '"'));
  }
}
