package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.http.ProblemType;
import dev.weir.gateway.http.Target;
import dev.weir.gateway.routes.MetricsRoutes;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.openapi.contract.Operation;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The served document names all that is served, and nothing else. */
class OpenApiTest extends OpenApiTestBase {
  /** What stands before others and lets requests go on, or answers for all of them. */
  private static final List<String> BEFORE_OTHERS =
      Arrays.asList(null, Target.PREFIX, MetricsRoutes.PATH, "/admin/");

  @Test
  void namesEachRouteThatIsServedAndNoOther() {
    Set<String> served = new TreeSet<>();
    for (Target.Kind kind : Target.Kind.values()) {
      served.add(kind.method + " " + Target.PREFIX + "{address}" + kind.suffix);
    }
    for (Route route : gateway.router().getRoutes()) {
      if (route.methods() == null) {
        assertThat(BEFORE_OTHERS).as("a route without a method").contains(route.getPath());
      } else {
        String path = route.getPath().replaceAll(":([a-z]+)", "{$1}");
        route.methods().forEach(method -> served.add(method + " " + path));
      }
    }
    assertThat(document.routes()).containsExactlyInAnyOrderElementsOf(served);
  }

  @Test
  void everyOperationHasOneOfTheTags() {
    for (Operation operation : document.operations()) {
      assertThat(operation.getTags()).as(operation.getOperationId()).hasSize(1);
      assertThat(document.tags()).containsAll(operation.getTags());
    }
  }

  @Test
  void anotherMethodIsAnsweredWithTheOnesThatAreNamed() {
    for (Operation operation : document.operations()) {
      String path = path(operation, "echo");
      HttpResponse<String> response =
          send(method(HttpMethod.PATCH.name(), path, "Authorization", ADMIN));
      assertProblem(response, ProblemType.METHOD_NOT_ALLOWED);
      String allowed = response.headers().firstValue("allow").orElseThrow();
      assertThat(allowed.split(", ")).as(path).containsExactlyInAnyOrderElementsOf(methods(path));
    }
  }

  private Set<String> methods(String path) {
    return document.operations().stream()
        .filter(each -> path.matches(each.getOpenAPIPath().replaceAll("\\{[a-z]+}", "[^/]+")))
        .map(each -> each.getHttpMethod().name())
        .collect(Collectors.toSet());
  }

  @Test
  void aPathThatIsNotNamedIsNotThere() {
    List<String> paths = new ArrayList<>(List.of("/admin", "/admin/x", "/dashboard", "/health"));
    for (Operation operation : document.operations()) {
      paths.add(path(operation, "echo").replaceAll("/$", "") + "/x/y/z");
    }
    for (String path : paths) {
      assertProblem(get(path, "Authorization", ADMIN), ProblemType.NOT_FOUND);
    }
  }

  @Test
  void isServedAsYamlToo() {
    assertThat(get("/openapi.yaml").body()).isEqualTo(get("/openapi.json").body());
  }
}
