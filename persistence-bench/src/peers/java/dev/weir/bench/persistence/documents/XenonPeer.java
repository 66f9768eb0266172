package dev.weir.bench.persistence.documents;

import com.vmware.xenon.common.FactoryService;
import com.vmware.xenon.common.Operation;
import com.vmware.xenon.common.ServiceDocument;
import com.vmware.xenon.common.ServiceHost;
import com.vmware.xenon.common.StatefulService;
import com.vmware.xenon.common.UriUtils;
import com.vmware.xenon.common.Utils;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.program.Names;
import dev.weir.bench.program.SeedParameters;
import dev.weir.bench.verify.Tally;
import dev.weir.bench.verify.Verdict;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongFunction;
import java.util.logging.Level;
import java.util.stream.IntStream;

/** A Xenon host in this process, with documents of three kinds. */
final class XenonPeer implements Closeable {
  /** Documents that are replaced in turn. */
  static final int DOCUMENTS = SeedParameters.ofSystem().documents();

  /** What a document has as JSON, about. */
  static final int JSON_BYTES = 330;

  private static final String TEXT = "x".repeat(JSON_BYTES - "{\"text\":\"\"}".length());
  private static final long WAIT_S = 120;

  private final ServiceHost host = new Host();

  /** What is measured. */
  enum Work {
    PUT_MEMORY(InMemory.class),
    PUT_PERSISTED(Persisted.class),
    POST_PERSISTED(Created.class);

    private final Class<? extends StatefulService> service;

    Work(Class<? extends StatefulService> service) {
      this.service = service;
    }

    @Override
    public String toString() {
      return Names.of(this);
    }
  }

  /** A document. */
  public static final class Document extends ServiceDocument {
    /** The content. */
    public String text;
  }

  private static class Stored extends StatefulService {
    Stored(boolean persisted) {
      super(Document.class);
      toggleOption(ServiceOption.PERSISTENCE, persisted);
    }

    @Override
    public void handlePut(Operation put) {
      setState(put, put.getBody(Document.class));
      put.complete();
    }
  }

  /** A document that is in memory only; public, as Xenon wants it. */
  public static final class InMemory extends Stored {
    /** For the factory. */
    public InMemory() {
      super(false);
    }
  }

  /** A document that is indexed, too. */
  public static final class Persisted extends Stored {
    /** For the factory. */
    public Persisted() {
      super(true);
    }
  }

  /** A document of a factory that only creates. */
  public static final class Created extends Stored {
    /** For the factory. */
    public Created() {
      super(true);
    }
  }

  private static final class Host extends ServiceHost {}

  /** Starts the host. */
  XenonPeer(Path sandbox) throws IOException {
    // By default it refuses updates once it has made more versions than microseconds have passed.
    Utils.setTimeDriftThreshold(TimeUnit.HOURS.toMicros(1));
    ServiceHost.Arguments arguments = new ServiceHost.Arguments();
    arguments.port = 0;
    arguments.bindAddress = "127.0.0.1";
    arguments.sandbox = sandbox;
    arguments.isPeerSynchronizationEnabled = false;
    try {
      host.initialize(arguments);
      host.setLoggingLevel(Level.OFF);
      host.start();
      host.startDefaultCoreServicesSynchronously();
    } catch (Throwable e) {
      close();
      throw new IOException("Xenon did not start", e);
    }
  }

  /** Starts the factory of the work, and creates what is replaced. */
  Documents documents(Work work) throws Exception {
    String path = "/" + work;
    CompletableFuture<Void> started = new CompletableFuture<>();
    host.startService(
        Operation.createPost(UriUtils.buildUri(host, path))
            .setCompletion((done, failure) -> complete(started, failure)),
        FactoryService.create(work.service));
    started.get(WAIT_S, TimeUnit.SECONDS);
    Documents documents = new Documents(work, path);
    if (work != Work.POST_PERSISTED) {
      documents.create();
    }
    return documents;
  }

  private static void complete(CompletableFuture<Void> future, Throwable failure) {
    if (failure == null) {
      future.complete(null);
    } else {
      future.completeExceptionally(failure);
    }
  }

  /**
   * Whether the host stops a persisted service soon after its last request, as it otherwise does
   * after a minute. It looks for such services about once a second, and starts them for a request.
   */
  void pausesIdleServices(boolean soon) {
    host.setServiceCacheClearDelayMicros(soon ? 1 : TimeUnit.HOURS.toMicros(1));
  }

  /** Services that run, those of the host included. */
  long services() {
    return host.getState().serviceCount;
  }

  /** Where it answers over HTTP. */
  int port() {
    return host.getUri().getPort();
  }

  @Override
  public void close() {
    host.stop();
  }

  /** The documents of one factory. For one thread. */
  final class Documents {
    private final Work work;
    private final URI factory;
    private final URI[] all;
    private long sent;

    private Documents(Work work, String path) {
      this.work = work;
      this.factory = UriUtils.buildUri(host, path);
      this.all =
          IntStream.range(0, DOCUMENTS)
              .mapToObj(i -> UriUtils.buildUri(host, path + "/" + i))
              .toArray(URI[]::new);
    }

    private void create() throws Exception {
      for (int i = 0; i < DOCUMENTS; i++) {
        answer(Operation.createPost(factory).setBody(document(Integer.toString(i))));
      }
    }

    private Document document(String link) {
      Document document = new Document();
      document.text = TEXT;
      document.documentSelfLink = link;
      return document;
    }

    private Operation answer(Operation request) throws Exception {
      CompletableFuture<Operation> answer = new CompletableFuture<>();
      host.sendRequest(
          request
              .setReferer(host.getUri())
              .setCompletion(
                  (done, failure) -> {
                    if (failure == null) {
                      answer.complete(done);
                    } else {
                      answer.completeExceptionally(failure);
                    }
                  }));
      return answer.get(WAIT_S, TimeUnit.SECONDS);
    }

    /** Creates the documents with the numbers from one to the other, which is exclusive. */
    void create(int from, int to) throws Exception {
      RoundResult created =
          send(to - from, LocalDocuments.IN_FLIGHT, i -> creation((int) (from + i)));
      if (!created.verdict().isOk()) {
        throw new IOException("Xenon did not create: " + created.verdict());
      }
    }

    private Operation creation(int number) {
      Document document = new Document();
      document.text = Footprint.text(number);
      document.documentSelfLink = Footprint.key(number);
      return Operation.createPost(factory).setBody(document);
    }

    /** The text of the document with this number. */
    String read(int number) throws Exception {
      URI uri = UriUtils.extendUri(factory, Footprint.key(number));
      return answer(Operation.createGet(uri)).getBody(Document.class).text;
    }

    /** Sends so many requests, with so many without an answer at most. */
    RoundResult round(long count, int inFlight) throws InterruptedException {
      return send(count, inFlight, i -> next());
    }

    private RoundResult send(long count, int inFlight, LongFunction<Operation> requests)
        throws InterruptedException {
      Semaphore window = new Semaphore(inFlight);
      LongAdder failed = new LongAdder();
      AtomicReference<String> firstFailure = new AtomicReference<>();
      long startNs = System.nanoTime();
      for (long i = 0; i < count; i++) {
        window.acquire();
        host.sendRequest(
            requests
                .apply(i)
                .setReferer(host.getUri())
                .setCompletion(
                    (done, failure) -> {
                      if (failure != null) {
                        failed.increment();
                        firstFailure.compareAndSet(null, failure.toString());
                      }
                      window.release();
                    }));
      }
      boolean answered = window.tryAcquire(inFlight, WAIT_S, TimeUnit.SECONDS);
      long elapsedNs = System.nanoTime() - startNs;
      long received = answered ? count : count - (inFlight - window.availablePermits());
      return RoundResult.closedLoop(
          new Tally(count, count, received, failed.sum(), 0, 0, 0, firstFailure.get()), elapsedNs);
    }

    private Operation next() {
      return work == Work.POST_PERSISTED
          ? Operation.createPost(factory).setBody(document("new-" + sent++))
          : Operation.createPut(all[(int) (sent++ % DOCUMENTS)]).setBody(document(null));
    }

    /** Whether each put was applied once; what was created is not counted again. */
    Verdict verdict() throws Exception {
      Verdict verdict = Verdict.ok();
      for (int i = 0; i < DOCUMENTS && work != Work.POST_PERSISTED; i++) {
        long puts = sent / DOCUMENTS + (i < sent % DOCUMENTS ? 1 : 0);
        long version = answer(Operation.createGet(all[i])).getBody(Document.class).documentVersion;
        verdict =
            verdict.unless(
                version == puts, "document " + i + " has " + version + " of " + puts + " puts");
      }
      return verdict;
    }
  }
}
