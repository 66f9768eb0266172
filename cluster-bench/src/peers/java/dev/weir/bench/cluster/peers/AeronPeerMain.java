package dev.weir.bench.cluster.peers;

import dev.weir.bench.cluster.child.ParentWatch;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusteredMediaDriver;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.Header;
import java.io.File;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A node of an Aeron Cluster of {@value #NODES} on the loopback address. Its arguments are its
 * number, its directory, that of its media driver, the file sync level of its archive, and the
 * first of the ports. It prints {@value #READY} when its service has started, and {@value #DIGEST}
 * with what it holds when it handles a message of one byte.
 */
final class AeronPeerMain {
  static final String READY = "READY";
  static final String DIGEST = "DIGEST";
  static final int NODES = 3;
  static final String HOST = "127.0.0.1:";

  /** Ports of a node: for ingress, consensus, log, catch-up and archive. */
  static final int PORTS = 5;

  private static final String IPC = "aeron:ipc";
  private static final String ANY_PORT = "aeron:udp?endpoint=127.0.0.1:0";

  private AeronPeerMain() {}

  /** Serves until the parent ends. */
  public static void main(String[] args) {
    ParentWatch.start();
    int node = Integer.parseInt(args[0]);
    File directory = new File(args[1]);
    String driver = args[2];
    int syncLevel = Integer.parseInt(args[3]);
    int[] ports = new int[NODES * PORTS];
    for (int i = 0; i < ports.length; i++) {
      ports[i] = Integer.parseInt(args[4 + i]);
    }
    AeronArchive.Context archiveClient =
        new AeronArchive.Context()
            .aeronDirectoryName(driver)
            .controlRequestChannel(IPC)
            .controlResponseChannel(IPC);
    ClusteredMediaDriver.launch(
        new MediaDriver.Context()
            .aeronDirectoryName(driver)
            .threadingMode(ThreadingMode.SHARED)
            .dirDeleteOnStart(true),
        new Archive.Context()
            .aeronDirectoryName(driver)
            .archiveDir(new File(directory, "archive"))
            .controlChannel("aeron:udp?endpoint=" + HOST + ports[node * PORTS + PORTS - 1])
            .replicationChannel(ANY_PORT)
            .recordingEventsEnabled(false)
            .fileSyncLevel(syncLevel)
            .catalogFileSyncLevel(syncLevel)
            .threadingMode(ArchiveThreadingMode.SHARED),
        new ConsensusModule.Context()
            .aeronDirectoryName(driver)
            .clusterMemberId(node)
            .clusterMembers(members(ports))
            .clusterDir(new File(directory, "cluster"))
            .archiveContext(archiveClient.clone())
            .ingressChannel("aeron:udp")
            .replicationChannel(ANY_PORT));
    ClusteredServiceContainer.launch(
        new ClusteredServiceContainer.Context()
            .aeronDirectoryName(driver)
            .archiveContext(archiveClient.clone())
            .clusterDir(new File(directory, "cluster"))
            .clusteredService(new Digest()));
    System.out.println(READY);
  }

  private static String members(int[] ports) {
    StringBuilder members = new StringBuilder();
    for (int node = 0; node < NODES; node++) {
      members.append(node);
      for (int i = 0; i < PORTS; i++) {
        members.append(',').append(HOST).append(ports[node * PORTS + i]);
      }
      members.append('|');
    }
    return members.toString();
  }

  /** Keeps the number of the bodies and the CRC32C of all, and answers each with its number. */
  private static final class Digest implements ClusteredService {
    private final CRC32C crc = new CRC32C();
    private final UnsafeBuffer reply = new UnsafeBuffer(new byte[Long.BYTES]);
    private Cluster cluster;
    private long count;

    @Override
    public void onStart(Cluster newCluster, Image snapshot) {
      cluster = newCluster;
    }

    @Override
    public void onSessionMessage(
        ClientSession session,
        long timestamp,
        DirectBuffer buffer,
        int offset,
        int length,
        Header header) {
      if (length == 1) {
        System.out.println(DIGEST + " " + SentBodies.digest(count, crc));
      } else {
        byte[] body = new byte[length];
        buffer.getBytes(offset, body);
        crc.update(body);
        count++;
      }
      reply.putLong(0, count);
      cluster.idleStrategy().reset();
      while (session.offer(reply, 0, Long.BYTES) < 0 && !session.isClosing()) {
        cluster.idleStrategy().idle();
      }
    }

    @Override
    public void onSessionOpen(ClientSession session, long timestamp) {}

    @Override
    public void onSessionClose(ClientSession session, long timestamp, CloseReason reason) {}

    @Override
    public void onTimerEvent(long correlationId, long timestamp) {}

    @Override
    public void onTakeSnapshot(ExclusivePublication publication) {}

    @Override
    public void onRoleChange(Cluster.Role role) {}

    @Override
    public void onTerminate(Cluster terminating) {}
  }
}
