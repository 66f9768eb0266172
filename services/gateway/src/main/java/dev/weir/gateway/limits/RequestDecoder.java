package dev.weir.gateway.limits;

import io.netty.channel.ChannelPipeline;
import io.vertx.core.http.HttpServerOptions;

/** Decodes the requests of a connection of HTTP/1. On its event loop. */
public interface RequestDecoder {
  /** True while the next request waits here. */
  boolean isWaiting();

  /** Decodes on if the next request waits here; not within another call. */
  void readOn() throws Exception;

  /** Who sends the requests. */
  interface Sender {
    /** Whether the next request has to wait. */
    boolean mustWait();

    /** What the heads of its requests take. */
    HeadBytes heads();
  }

  /** Puts decoders into the pipelines of a server. */
  interface Installer {
    /** Whether Vert.x does not know yet if the client speaks HTTP/1 or HTTP/2. */
    boolean isUndecided(ChannelPipeline pipeline);

    /**
     * Takes the place of the decoder of Vert.x, if the pipeline has it: the connection is one of
     * HTTP/1 then.
     *
     * @param first the first byte of the connection, which the other decoder may have skipped
     * @return null if the pipeline has none
     */
    RequestDecoder install(
        ChannelPipeline pipeline, HttpServerOptions options, Sender sender, byte first);
  }
}
