package dev.weir.bench.cluster.processor;

import dev.weir.bench.cluster.Kind;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.processor.Encoding;
import io.vertx.core.json.JsonObject;

/** One member of the measured group. A child process gets it as JSON. */
record Member(Kind kind, Encoding encoding, NodeOptions node, GroupOptions group) {

  static Member fromJson(String text) {
    JsonObject json = new JsonObject(text);
    return new Member(
        Kind.valueOf(json.getString("kind")),
        Encoding.valueOf(json.getString("encoding")),
        new NodeOptions(json.getJsonObject("node").getMap()),
        new GroupOptions(json.getJsonObject("group").getMap()));
  }

  String toJson() {
    return new JsonObject()
        .put("kind", kind.name())
        .put("encoding", encoding.name())
        .put("node", node.toMap())
        .put("group", group.toMap())
        .encode();
  }
}
