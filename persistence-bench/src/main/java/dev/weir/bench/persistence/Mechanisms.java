package dev.weir.bench.persistence;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** All mechanisms there are, JE first: it is compared with those after it. */
final class Mechanisms {
  private Mechanisms() {}

  static List<Mechanism> all() {
    List<Mechanism> all = new ArrayList<>();
    all.add(new JeMechanism());
    all.add(new FileMechanism());
    all.add(new ChronicleMechanism(false));
    all.add(new ChronicleMechanism(true));
    // Those of the profile "peers", if it is active.
    ServiceLoader.load(Mechanism.class).forEach(all::add);
    return all;
  }
}
