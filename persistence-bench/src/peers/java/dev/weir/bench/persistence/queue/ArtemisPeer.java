package dev.weir.bench.persistence.queue;

import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.verify.MessageCheck;
import dev.weir.bench.verify.Payload;
import dev.weir.bench.verify.SequenceCheck;
import dev.weir.bench.verify.Verdict;
import dev.weir.queue.Completion;
import dev.weir.queue.QueueException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.SendAcknowledgementHandler;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/**
 * An Apache ActiveMQ Artemis broker in this JVM, with a NIO journal: durable messages by an in-VM
 * connection, acceptance reported to a send acknowledgement handler.
 */
final class ArtemisPeer implements PeerQueue {
  /** Bytes of messages that a paging queue keeps in memory. */
  static final long PAGING_MEMORY_BYTES = 10 << 20;

  private static final String NAME = "bench";

  // Held here, because the level of a logger that nobody refers to is forgotten.
  private static final Logger LOGGER = Logger.getLogger("org.apache.activemq");

  private static final int CONFIRMATION_BYTES = 10 << 20;
  private static final long STANDSTILL_MS = Duration.ofSeconds(30).toMillis();
  private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final int FORCES = 50;
  private static final int BLOCK_BYTES = 4096;

  private final Payload payload;
  private final int window;
  private final MessageCheck check;
  private final AppendCompletions completions = new AppendCompletions();
  private final EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
  private final ServerLocator locator;
  private final ClientSessionFactory factory;
  private final ClientSession sending;
  private final ClientProducer producer;
  private final ClientConsumer consumer;
  private long nextNumber;

  /**
   * Starts a broker.
   *
   * @param id number of the in-VM acceptor, other than those of other brokers in this JVM
   * @param flush whether an accepted message was forced to the device
   * @param paging whether messages beyond {@link #PAGING_MEMORY_BYTES} go to page files
   * @param messages how many will go through the queue in all, from number 0 on
   */
  ArtemisPeer(
      Path directory,
      int id,
      Flush flush,
      boolean paging,
      long messages,
      Payload payload,
      int window)
      throws Exception {
    this.payload = payload;
    this.window = window;
    // Messages that come while the broker begins to page, or stops, may overtake others.
    this.check =
        new MessageCheck(
            payload, paging ? SequenceCheck.unordered(messages) : SequenceCheck.ordered(messages));
    // The audit log is off by default in the broker's own logging configuration.
    LOGGER.setLevel(Level.SEVERE);
    String address = "vm://" + id;
    broker.setConfiguration(
        configuration(directory, flush)
            .addAcceptorConfiguration("in-vm", address)
            .addAddressSetting("#", settings(paging)));
    broker.start();
    locator =
        ActiveMQClient.createServerLocator(address)
            .setConfirmationWindowSize(CONFIRMATION_BYTES)
            .setBlockOnDurableSend(false)
            .setProducerWindowSize(-1);
    factory = locator.createSessionFactory();
    sending = factory.createSession(true, true);
    if (broker.getActiveMQServer().locateQueue(NAME) == null) {
      sending.createQueue(QueueConfiguration.of(NAME).setRoutingType(RoutingType.ANYCAST));
    }
    producer = sending.createProducer(NAME);
    ClientSession receiving = factory.createSession(true, true);
    consumer = receiving.createConsumer(NAME);
    receiving.start();
  }

  private static Configuration configuration(Path directory, Flush flush) throws IOException {
    boolean synced = flush == Flush.DISK;
    Configuration configuration =
        new ConfigurationImpl()
            .setSecurityEnabled(false)
            .setJMXManagementEnabled(false)
            .setJournalType(JournalType.NIO)
            .setJournalSyncNonTransactional(synced)
            .setJournalSyncTransactional(synced)
            .setJournalDirectory(directory.resolve("journal").toString())
            .setBindingsDirectory(directory.resolve("bindings").toString())
            .setPagingDirectory(directory.resolve("paging").toString())
            .setLargeMessagesDirectory(directory.resolve("large").toString())
            .setMaxDiskUsage(-1)
            .setGlobalMaxSize(-1);
    if (synced) {
      configuration.setJournalBufferTimeout_NIO((int) forceNs(directory));
    }
    return configuration;
  }

  private static AddressSettings settings(boolean paging) {
    return new AddressSettings()
        .setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE)
        .setMaxSizeBytes(paging ? PAGING_MEMORY_BYTES : -1);
  }

  /** The median time of a write and a force: what {@code artemis create} sets the timeout to. */
  private static long forceNs(Path directory) throws IOException {
    Path file = Files.createTempFile(directory, "force", null);
    long[] tookNs = new long[FORCES];
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (int i = 0; i < FORCES; i++) {
        long startNs = System.nanoTime();
        channel.write(ByteBuffer.allocate(BLOCK_BYTES));
        channel.force(false);
        tookNs[i] = System.nanoTime() - startNs;
      }
    } finally {
      Files.delete(file);
    }
    Arrays.sort(tookNs);
    return tookNs[FORCES / 2];
  }

  @Override
  public long append(long count) throws Exception {
    awaitRest();
    long startNs = System.nanoTime();
    for (long i = 0; i < count && completions.awaitWindow(window); i++) {
      ClientMessage message = sending.createMessage(true);
      message.getBodyBuffer().writeBytes(payload.create(nextNumber++));
      producer.send(SimpleString.of(NAME), message, new Acceptance(completions.begin(0)));
    }
    completions.awaitAll();
    return System.nanoTime() - startNs;
  }

  @Override
  public long drain(long count) throws Exception {
    long startNs = System.nanoTime();
    for (long i = 0; i < count; i++) {
      ClientMessage message = consumer.receive(STANDSTILL_MS);
      if (message == null) {
        break;
      }
      byte[] body = new byte[message.getBodyBuffer().readableBytes()];
      message.getBodyBuffer().readBytes(body);
      check.accept(body);
      if (i < count - 1) {
        message.acknowledge();
      } else {
        // Sends the acknowledgements that the client still holds back, too.
        message.individualAcknowledge();
      }
    }
    return System.nanoTime() - startNs;
  }

  /** Waits until the acknowledgements have reached the broker and the queue no longer pages. */
  private void awaitRest() throws Exception {
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STANDSTILL_MS);
    while ((waiting() > 0 || isPaging()) && System.nanoTime() - endNs < 0) {
      LockSupport.parkNanos(this, POLL_NS);
    }
  }

  private boolean isPaging() throws Exception {
    return broker
        .getActiveMQServer()
        .getPagingManager()
        .getPageStore(SimpleString.of(NAME))
        .isPaging();
  }

  @Override
  public Verdict verdict() throws Exception {
    awaitRest();
    return check
        .verdict()
        .and(completions.verdict())
        .unless(waiting() == 0, "still waiting " + waiting());
  }

  /** Messages that wait, accepted and not acknowledged. */
  long waiting() {
    return broker.getActiveMQServer().locateQueue(NAME).getMessageCount();
  }

  @Override
  public void close() throws IOException {
    factory.close();
    locator.close();
    try {
      broker.stop();
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /** Tells the counter when the broker has accepted a message. */
  private record Acceptance(Completion completion) implements SendAcknowledgementHandler {
    @Override
    public void sendAcknowledged(Message message) {
      completion.complete(null);
    }

    @Override
    public void sendFailed(Message message, Exception e) {
      completion.complete(
          new QueueException(QueueException.Reason.STORE_FAILED, "refused by the broker", e));
    }
  }
}
