package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class NodeOptionsTest {
  private final NodeOptions options = new NodeOptions().setMemberName("a");

  @Test
  void aNameIsAllThatMustBeSet() {
    options.validate();
    assertRefused(() -> new NodeOptions().validate(), "memberName is null");
  }

  @Test
  void aCopyHasAllValuesAndItsOwnLife() {
    options
        .setClusterName("c")
        .setHost("127.0.0.2")
        .setPort(1)
        .setReplicationPort(2)
        .setPublicHost("p")
        .setPublicPort(6)
        .setPublicReplicationPort(7)
        .setJoin(List.of("h:3"))
        .setDirectory(Path.of("d"))
        .setMemberHeartbeatS(4)
        .setMemberTimeoutS(9);
    NodeOptions copy = new NodeOptions(options);
    assertThat(copy).usingRecursiveComparison().isEqualTo(options);
    options.setPort(5);
    assertThat(copy.getPort()).isEqualTo(1);
  }

  @Test
  void othersReachItWhereItListensUnlessToldOtherwise() {
    options.setHost("127.0.0.2").setPort(1);
    assertThat(options.getPublicHost()).isEqualTo("127.0.0.2");
    assertThat(options.getPublicPort()).isEqualTo(1);

    options.setPublicHost("p").setPublicPort(2);
    assertThat(options.getPublicHost()).isEqualTo("p");
    assertThat(options.getPublicPort()).isEqualTo(2);
  }

  @Test
  void replicationListensAtTheHostUnlessItHasOneOfItsOwn() {
    options.setHost("127.0.0.2");
    assertThat(options.getReplicationHost()).isEqualTo("127.0.0.2");
    assertThat(options.getPublicReplicationHost()).isEqualTo("127.0.0.2");

    options.setReplicationHost("127.0.0.3");
    assertThat(options.getPublicReplicationHost()).isEqualTo("127.0.0.3");
    assertThat(options.getPublicHost()).isEqualTo("127.0.0.2");

    options.setPublicHost("p");
    assertThat(options.getPublicReplicationHost()).isEqualTo("p");
  }

  @Test
  void valuesThatCannotBeAreRefused() {
    assertRefused(() -> options.setMemberName("a b"), "memberName is a b");
    assertRefused(() -> options.setClusterName(null), "clusterName is null");
    assertRefused(() -> options.setHost("0.0.0.0"), "host is 0.0.0.0");
    assertRefused(() -> options.setReplicationHost("::"), "replicationHost is ::");
    assertRefused(() -> options.setPort(0), "port is 0, allowed is 1 to 65535");
    assertRefused(() -> options.setReplicationPort(65_536), "replicationPort is 65536");
    assertRefused(() -> options.setPublicHost(" "), "publicHost is blank");
    assertRefused(() -> options.setPublicPort(-1), "publicPort is -1, allowed is 0 to 65535");
    assertRefused(() -> options.setPublicReplicationPort(65_536), "publicReplicationPort is 65536");
    assertRefused(() -> options.setJoin(List.of("host")), "join contains host");
    assertRefused(() -> options.setJoin(List.of("host:0")), "join contains host:0");
    assertRefused(() -> options.setJoin(List.of("host:70000")), "join contains host:70000");
    assertRefused(() -> options.setDirectory(null), "directory must not be null");
    assertRefused(() -> options.setMemberHeartbeatS(0), "memberHeartbeatS is 0");
    assertRefused(() -> options.setMemberTimeoutS(1), "memberTimeoutS is 1");
  }

  @Test
  void valuesThatDoNotGoTogetherAreRefused() {
    assertRefused(
        () -> new NodeOptions(options).setReplicationPort(5701).validate(),
        "replicationPort is 5701, allowed is any other than port");
    assertRefused(
        () -> new NodeOptions(options).setMemberHeartbeatS(6).validate(),
        "memberTimeoutS is 10, allowed is at least twice memberHeartbeatS, which is 6");
  }

  private static void assertRefused(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
