package dev.weir.bench.persistence.loggers;

import dev.weir.bench.persistence.store.Mechanism;
import dev.weir.bench.persistence.store.chronicle.ChronicleMechanism;
import dev.weir.bench.persistence.store.file.FileMechanism;
import dev.weir.bench.persistence.store.je.JeMechanism;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** The mechanisms that are measured. JE is first; the others are compared with it. */
final class Mechanisms {
  private Mechanisms() {}

  static List<Mechanism> all() {
    List<Mechanism> all = new ArrayList<>();
    all.add(new JeMechanism());
    all.add(new FileMechanism());
    all.add(new ChronicleMechanism(false));
    all.add(new ChronicleMechanism(true));
    addPeers(all);
    return all;
  }

  /** Adds the mechanisms of the build profile "peers", if it is active. */
  private static void addPeers(List<Mechanism> all) {
    Iterator<Mechanism> peers = ServiceLoader.load(Mechanism.class).iterator();
    while (peers.hasNext()) {
      try {
        all.add(peers.next());
      } catch (ServiceConfigurationError e) {
        // A build without the profile, after one with it and no clean between, leaves names behind.
      }
    }
  }
}
