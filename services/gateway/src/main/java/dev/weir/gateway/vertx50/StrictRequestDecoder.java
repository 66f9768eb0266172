package dev.weir.gateway.vertx50;

import dev.weir.gateway.limits.RequestDecoder;
import dev.weir.gateway.limits.RequestTarget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpConstants;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.util.AsciiString;
import io.netty.util.internal.StringUtil;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import java.util.List;

/**
 * Decodes HTTP/1 requests and refuses those that another HTTP parser, such as a proxy before the
 * gateway, may read in another way (RFC 9112, 3.2, 5.2 and 6). A refused request is answered with
 * 400, the connection is closed, and no byte after the request is read.
 *
 * <p>Netty's decoder merges or drops the parts that are refused here, so its result does not show
 * them. This class looks at words and names while they are decoded. It allocates nothing for a good
 * request.
 *
 * <p>A head for which the heap has no room is refused with 431. While the client does not take the
 * answers it has, or has sent many requests ahead, the next one is not decoded.
 */
final class StrictRequestDecoder extends VertxHttpRequestDecoder implements RequestDecoder {
  /** The name that Vert.x gives to its decoder. */
  private static final String VERTX = "httpDecoder";

  /** More digits than any client writes before those that count. */
  private static final int MAX_SIZE_DIGITS = 15;

  private static final int LINE_END_BYTES = 2;
  private static final AsciiString OLD_WEB_SOCKET_KEY = AsciiString.cached("sec-websocket-key1");

  /** False from the last header of a request to the end of its body. */
  private boolean inHead = true;

  /** True after a request was refused: all that follows is thrown away. */
  private boolean refused;

  /** The first fault of the current head, or null. */
  private String fault;

  /** The end of the last word of the request line in the decoder's own array. */
  private int wordEnd;

  /**
   * Bytes left of the current chunk, including its size line and the line end after it. 0 before
   * the size line of the next chunk, -1 after the size line of the last chunk.
   */
  private long chunkBytes;

  private final Sender connection;

  /** Of the current head or trailer. */
  private int textBytes;

  private int headers;

  /** Not null while the next request waits here. */
  private ChannelHandlerContext waiting;

  private int hosts;
  private int lengths;
  private int codings;

  private StrictRequestDecoder(HttpServerOptions options, Sender connection) {
    super(options);
    this.connection = connection;
  }

  /** As {@link Installer#install}. */
  static StrictRequestDecoder install(
      ChannelPipeline pipeline, HttpServerOptions options, Sender connection, byte first) {
    if (pipeline.get(VERTX) == null) {
      return null;
    }
    StrictRequestDecoder decoder = new StrictRequestDecoder(options, connection);
    decoder.checkLineStart(first);
    pipeline.replace(VERTX, VERTX, decoder);
    return decoder;
  }

  @Override
  public boolean isWaiting() {
    return waiting != null;
  }

  @Override
  public void readOn() throws Exception {
    ChannelHandlerContext context = waiting;
    waiting = null;
    if (context != null && !context.isRemoved()) {
      channelRead(context, Unpooled.EMPTY_BUFFER);
      channelReadComplete(context);
    }
  }

  /** The decoder would read from the socket again to complete what waits. */
  @Override
  public void channelReadComplete(ChannelHandlerContext context) throws Exception {
    if (isWaiting()) {
      context.fireChannelReadComplete();
    } else {
      super.channelReadComplete(context);
    }
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws Exception {
    if (refused) {
      in.skipBytes(in.readableBytes());
      return;
    }
    if (inHead && textBytes == 0 && connection.mustWait()) {
      waiting = context;
      return;
    }
    int from = in.readerIndex();
    // After the last chunk there may be headers too.
    boolean counted = inHead || chunkBytes < 0;
    if (!inHead && codings > 0 && chunkBytes == 0 && !isChunkSizeGood(in)) {
      refuseBody(in, out, "bad chunk size");
      return;
    }
    super.decode(context, in, out);
    if (counted) {
      textBytes += in.readerIndex() - from;
      if (!connection.heads().hasRoom(textBytes, headers)) {
        refuseHead(context, in, out);
        return;
      }
    }
    chunkBytes -= chunkBytes > 0 ? in.readerIndex() - from : 0;
    if (inHead) {
      // Bad bytes are skipped by the decoder, which then has found another fault itself.
      checkLineStarts(in, from, in.readerIndex());
    }
    if (!out.isEmpty()) {
      decoded(out);
    }
  }

  private void refuseBody(ByteBuf in, List<Object> out, String why) {
    refused = true;
    LastHttpContent malformed = new DefaultLastHttpContent(Unpooled.EMPTY_BUFFER);
    malformed.setDecoderResult(DecoderResult.failure(new DecoderException(why)));
    out.add(malformed);
    in.skipBytes(in.readableBytes());
  }

  private void refuseHead(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws Exception {
    out.clear();
    if (inHead) {
      refused = true;
      HttpMessage head = createInvalidMessage();
      head.setDecoderResult(
          DecoderResult.failure(new TooLongHttpHeaderException("no room for so many headers")));
      out.add(head);
      in.skipBytes(in.readableBytes());
    } else {
      refuseBody(in, out, "no room for so many trailers");
    }
    // So the decoder gives up the headers that it has: the connection may stay for a while.
    reset();
    super.decode(context, Unpooled.EMPTY_BUFFER, out);
  }

  /** Called with what the decoder has found: a head, a piece of a body, or both. */
  private void decoded(List<Object> out) {
    if (out.get(0) instanceof HttpRequest request) {
      if (request.decoderResult().isSuccess()) {
        check(request);
      }
      inHead = false;
      connection.heads().complete();
      textBytes = 0;
      headers = 0;
      refused = fault != null || request.decoderResult().isFailure();
      if (fault != null) {
        request.setProtocolVersion(HttpVersion.HTTP_1_1);
        request.setDecoderResult(DecoderResult.failure(new DecoderException(fault)));
        out.clear();
        out.add(request);
        return;
      }
    }
    if (out.get(out.size() - 1) instanceof LastHttpContent) {
      beginHead();
    }
  }

  private void beginHead() {
    inHead = true;
    chunkBytes = 0;
    textBytes = 0;
    headers = 0;
    hosts = 0;
    lengths = 0;
    codings = 0;
  }

  /** A line that begins with a blank continues the one before; all others begin with a letter. */
  private void checkLineStarts(ByteBuf in, int from, int to) {
    int at = from;
    while (at < to) {
      checkLineStart(in.getByte(at));
      int end = in.indexOf(at, to, HttpConstants.LF);
      if (end < 0) {
        return;
      }
      at = end + 1;
    }
  }

  private void checkLineStart(byte first) {
    if (first <= ' ' && first != HttpConstants.CR && first != HttpConstants.LF) {
      fault = "a line begins with a blank or a control character";
    }
  }

  // ---- chunks: a hexadecimal size, then the line end or an extension

  /**
   * False if the next line is not a chunk size or exceeds an int, which the decoder would truncate;
   * true if it is a chunk size or has not arrived yet.
   */
  private boolean isChunkSizeGood(ByteBuf in) {
    int from = in.readerIndex();
    int end = in.indexOf(from, in.writerIndex(), HttpConstants.LF);
    if (end < 0) {
      return true;
    }
    long bytes = 0;
    int at = from;
    for (int digit = digit(in, at); digit >= 0; digit = digit(in, at)) {
      bytes = bytes << 4 | digit;
      at++;
      if (at - from > MAX_SIZE_DIGITS) {
        return false;
      }
    }
    byte after = in.getByte(at);
    if (at == from
        || bytes > Integer.MAX_VALUE
        || after != HttpConstants.CR && after != HttpConstants.SEMICOLON) {
      return false;
    }
    chunkBytes = bytes == 0 ? -1 : end + 1 - from + bytes + LINE_END_BYTES;
    return true;
  }

  private static int digit(ByteBuf in, int at) {
    return StringUtil.decodeHexNibble(in.getByte(at));
  }

  // ---- the request line: one blank between its words

  @Override
  protected String splitFirstWordInitialLine(byte[] line, int start, int length) {
    wordEnd = start + length;
    return super.splitFirstWordInitialLine(line, start, length);
  }

  @Override
  protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
    checkBlank(line, start);
    wordEnd = start + length;
    return super.splitSecondWordInitialLine(line, start, length);
  }

  @Override
  protected String splitThirdWordInitialLine(byte[] line, int start, int length) {
    checkBlank(line, start);
    String version = super.splitThirdWordInitialLine(line, start, length);
    if (!version.equals(HttpVersion.HTTP_1_1.text())
        && !version.equals(HttpVersion.HTTP_1_0.text())) {
      fault = "the version is neither HTTP/1.1 nor HTTP/1.0";
    }
    return version;
  }

  private void checkBlank(byte[] line, int start) {
    if (start != wordEnd + 1 || line[wordEnd] != HttpConstants.SP) {
      fault = "not one blank is between the words of the request line";
    }
  }

  // ---- the headers

  @Override
  protected AsciiString splitHeaderName(byte[] line, int start, int length) {
    headers++;
    AsciiString name = super.splitHeaderName(line, start, length);
    switch (length) {
      case 0 -> fault = "a header has no name";
      case 4 -> hosts += count(name, HttpHeaderNames.HOST);
      case 14 -> lengths += count(name, HttpHeaderNames.CONTENT_LENGTH);
      case 17 -> codings += count(name, HttpHeaderNames.TRANSFER_ENCODING);
      case 18 -> {
        if (count(name, OLD_WEB_SOCKET_KEY) > 0) {
          fault = "the handshake of a draft of WebSocket has a body without a length";
        }
      }
      default -> {
        // No other header says where the request ends or for whom it is.
      }
    }
    return name;
  }

  private static int count(AsciiString name, AsciiString wanted) {
    return name.contentEqualsIgnoreCase(wanted) ? 1 : 0;
  }

  private void check(HttpRequest request) {
    boolean http11 = request.protocolVersion().equals(HttpVersion.HTTP_1_1);
    if (lengths > 1) {
      fault = "Content-Length is there more than once";
    } else if (codings > 0 && !isChunked(request, http11)) {
      fault = "Transfer-Encoding is not chunked alone, or not alone";
    } else if (hosts > 1 || http11 && hosts == 0) {
      fault = "Host is not there once";
    } else {
      checkTarget(request);
    }
  }

  private boolean isChunked(HttpRequest request, boolean http11) {
    String coding = request.headers().get(HttpHeaderNames.TRANSFER_ENCODING);
    return http11
        && codings == 1
        && lengths == 0
        && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(coding);
  }

  private void checkTarget(HttpRequest request) {
    String host = hosts == 0 ? "" : request.headers().get(HttpHeaderNames.HOST);
    String target = request.uri();
    if (!RequestTarget.isHost(host)) {
      fault = "Host is no name or address with a port";
    } else if (request.method() == HttpMethod.CONNECT) {
      fault = "this is no proxy";
    } else if (!RequestTarget.isPath(target)
        && !RequestTarget.isOf(target, host)
        && !(target.equals("*") && request.method() == HttpMethod.OPTIONS)) {
      fault = "the target is neither a path nor one of the Host";
    }
  }
}
