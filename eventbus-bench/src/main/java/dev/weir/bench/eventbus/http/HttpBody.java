package dev.weir.bench.eventbus.http;

import dev.weir.bench.eventbus.body.Bodies;
import dev.weir.bench.eventbus.body.JsonBodies;
import dev.weir.bench.program.Names;
import java.util.function.IntFunction;

/** The kinds of bodies of a request, with their names in the results. */
enum HttpBody {
  JSON("application/json", JsonBodies::new),
  BINARY("application/octet-stream", Bodies.Kind.BUFFER::bodies);

  private final String mediaType;
  private final IntFunction<Bodies> factory;

  HttpBody(String mediaType, IntFunction<Bodies> factory) {
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
    return Names.of(this);
  }
}
