package dev.weir.bench.eventbus.http;

import dev.weir.bench.eventbus.body.Bodies;
import dev.weir.bench.eventbus.body.JsonBodies;
import java.util.function.IntFunction;

/** The kinds of bodies of a request, with their names in the results. */
enum HttpBody {
  JSON("json", "application/json", JsonBodies::new),
  BINARY("binary", "application/octet-stream", Bodies.Kind.BUFFER::bodies);

  private final String label;
  private final String mediaType;
  private final IntFunction<Bodies> factory;

  HttpBody(String label, String mediaType, IntFunction<Bodies> factory) {
    this.label = label;
    this.mediaType = mediaType;
    this.factory = factory;
  }

  String mediaType() {
    return mediaType;
  }

  Bodies bodies(int sizeBytes) {
    return factory.apply(sizeBytes);
  }

  @Override
  public String toString() {
    return label;
  }
}
