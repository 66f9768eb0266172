package dev.weir.bench.cluster.floors;

import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.JavaSerializationFilterConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import dev.weir.bench.cluster.child.ParentWatch;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A plain Hazelcast member, without Weir, on the loopback address. As the main class of the floor's
 * child process it holds backups: arguments are its port and that of the other member, and it
 * prints {@value #READY} when it has joined.
 */
public final class HazelcastMember {
  static final String READY = "READY";
  static final String MAP = "floor";

  private static final String LOOPBACK = "127.0.0.1";
  private static final String NAME = "weir-floor";

  private HazelcastMember() {}

  /** Stays a member until the parent ends. */
  public static void main(String[] args) {
    ParentWatch.start();
    int port = Integer.parseInt(args[0]);
    HazelcastInstance member = start(port, List.of(Integer.parseInt(args[1]), port));
    System.out.println(READY + " " + member.getCluster().getMembers().size());
  }

  /** Starts the member on its port. It only joins members on the given ports. */
  static HazelcastInstance start(int port, List<Integer> members) {
    Config config = new Config().setClusterName(NAME + "-" + members.get(0));
    config
        .setProperty("hazelcast.logging.type", "none")
        .setProperty("hazelcast.phone.home.enabled", "false")
        .setProperty("hazelcast.shutdownhook.enabled", "false")
        .setProperty("hazelcast.socket.bind.any", "false")
        .setProperty("hazelcast.wait.seconds.before.join", "0")
        .setProperty("hazelcast.partition.count", "31")
        .setProperty("hazelcast.concurrent.window.ms", "0")
        .setProperty("hazelcast.operation.fail.on.indeterminate.state", "true")
        .setProperty("hazelcast.operation.response.thread.count", "0");
    config.getNetworkConfig().setPort(port).setPortAutoIncrement(false);
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface(LOOPBACK);
    config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
    config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
    config.getNetworkConfig().getJoin().getTcpIpConfig().setEnabled(true);
    members.forEach(
        member ->
            config
                .getNetworkConfig()
                .getJoin()
                .getTcpIpConfig()
                .addMember(LOOPBACK + ":" + member));
    config.getMetricsConfig().setEnabled(false);
    config.addMapConfig(
        new MapConfig(MAP)
            .setBackupCount(1)
            .setInMemoryFormat(InMemoryFormat.BINARY)
            .setStatisticsEnabled(false));
    config
        .getSerializationConfig()
        .setJavaSerializationFilterConfig(new JavaSerializationFilterConfig())
        .addDataSerializableFactory(StoreBytes.FACTORY_ID, type -> new StoreBytes());
    return Hazelcast.newHazelcastInstance(config);
  }

  /** An operation that replaces the value of an entry, on the owner and on the backup. */
  static final class StoreBytes
      implements EntryProcessor<Integer, byte[], Integer>, IdentifiedDataSerializable {
    static final int FACTORY_ID = 71;

    private static final long serialVersionUID = 1;

    private byte[] bytes;

    /** For the serializer. */
    StoreBytes() {}

    StoreBytes(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public Integer process(Map.Entry<Integer, byte[]> entry) {
      entry.setValue(bytes);
      return bytes.length;
    }

    @Override
    public int getFactoryId() {
      return FACTORY_ID;
    }

    @Override
    public int getClassId() {
      return 1;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
      out.writeByteArray(bytes);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
      bytes = in.readByteArray();
    }
  }
}
