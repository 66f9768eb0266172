package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import io.vertx.openapi.contract.OpenAPIContract;
import io.vertx.openapi.contract.Operation;
import io.vertx.openapi.validation.ResponseValidator;
import io.vertx.openapi.validation.ValidatableResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** An OpenAPI document that a server serves, and which of the answers in it have been seen. */
public final class ServedDocument {
  private static final String PROBLEM_TYPE = "application/problem+json";

  /** The validator reads JSON of types it knows; it knows vendors' types, but not this one. */
  private static final String KNOWN_PROBLEM_TYPE = "application/vnd.problem+json";

  /** Types that the validator does not know, and whose content has no schema. */
  private static final List<String> WITHOUT_SCHEMA =
      List.of(
          "application/cbor",
          "application/json-patch+json",
          "application/merge-patch+json",
          "application/openmetrics-text",
          "application/yaml",
          "image/svg+xml",
          "text/css",
          "text/event-stream",
          "text/html",
          "text/javascript");

  private final JsonObject document;
  private final OpenAPIContract contract;
  private final ResponseValidator validator;
  private final Map<String, Set<Integer>> seen = new TreeMap<>();

  /**
   * Reads the document.
   *
   * @param text JSON; the test fails if it is not a valid document
   */
  public ServedDocument(Vertx vertx, String text) {
    document = new JsonObject(text);
    contract =
        Futures.result(
            "the document is valid", OpenAPIContract.from(vertx, new JsonObject(known(text))));
    validator = ResponseValidator.create(vertx, contract);
  }

  private static String known(String text) {
    String known = text.replace(PROBLEM_TYPE, KNOWN_PROBLEM_TYPE);
    for (String type : WITHOUT_SCHEMA) {
      known = known.replace('"' + type + '"', "\"application/octet-stream\"");
    }
    return known;
  }

  /** Every method and path. */
  public Set<String> routes() {
    return contract.operations().stream()
        .map(each -> each.getHttpMethod() + " " + each.getOpenAPIPath())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The tags that the document describes. */
  public Set<String> tags() {
    return document.getJsonArray("tags").stream()
        .map(tag -> ((JsonObject) tag).getString("name"))
        .collect(Collectors.toSet());
  }

  /** All operations. */
  public List<Operation> operations() {
    return contract.operations();
  }

  /** The operations with a tag. */
  public List<Operation> operations(String tag) {
    return contract.operations().stream().filter(each -> each.getTags().contains(tag)).toList();
  }

  /** Whether the operation may answer with this status. */
  public boolean documents(Operation operation, int status) {
    return operation.getResponse(status) != null;
  }

  /** Checks that an answer is as the document says, and takes a note of it. */
  public void check(String operation, int status, Map<String, String> headers, String body) {
    String answer = operation + " answers as the document says: " + status + " " + body;
    JsonObject content = response(operation, status).getJsonObject("content", new JsonObject());
    String type = headers.get("content-type");
    if (content.isEmpty()) {
      assertThat(body).as(answer).isEmpty();
      type = null;
    } else {
      // In a document a type stands for itself with any parameters; not so for the validator.
      type = type == null ? null : type.split(";")[0];
      assertThat(content.fieldNames()).as(answer).contains(type);
    }
    Map<String, String> values = new HashMap<>();
    headers.forEach((name, value) -> values.put(name, knownValue(value)));
    ValidatableResponse validatable =
        type == null
            ? ValidatableResponse.create(status, values)
            : ValidatableResponse.create(status, values, Buffer.buffer(body), knownType(type));
    Futures.result(answer, validator.validate(validatable, operation));
    saw(operation, status);
  }

  private static String knownType(String type) {
    return known('"' + type + '"').replace("\"", "");
  }

  /** Texts with quotes in headers have to be JSON for the validator. */
  private static String knownValue(String value) {
    return value.indexOf('"') < 0 ? value : Json.encode(value);
  }

  /** Takes a note of an answer that was checked elsewhere. */
  public void saw(String operation, int status) {
    seen.computeIfAbsent(operation, name -> new TreeSet<>()).add(status);
  }

  private JsonObject response(String operationId, int status) {
    Operation operation = contract.operation(operationId);
    JsonObject response =
        document
            .getJsonObject("paths")
            .getJsonObject(operation.getOpenAPIPath())
            .getJsonObject(operation.getHttpMethod().name().toLowerCase(Locale.ROOT))
            .getJsonObject("responses")
            .getJsonObject(Integer.toString(status));
    assertThat(response).as("%s names %s", operationId, status).isNotNull();
    String reference = response.getString("$ref");
    return reference == null
        ? response
        : document
            .getJsonObject("components")
            .getJsonObject("responses")
            .getJsonObject(reference.substring(reference.lastIndexOf('/') + 1));
  }

  /** Checks that each answer was seen that the operations with a tag may give. */
  public void assertAllWasSeen(String tag) {
    Map<String, Set<Integer>> documented = new TreeMap<>();
    for (Operation operation : operations(tag)) {
      documented.put(operation.getOperationId(), statuses(operation));
    }
    assertThat(seen).isEqualTo(documented);
  }

  private static Set<Integer> statuses(Operation operation) {
    return operation.getOpenAPIModel().getJsonObject("responses").fieldNames().stream()
        .filter(name -> Character.isDigit(name.charAt(0)))
        .map(Integer::valueOf)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
