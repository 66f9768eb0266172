package dev.weir.flow.impl;

import dev.weir.flow.WeirObserver;
import dev.weir.options.HeapExhaustion;
import dev.weir.options.UserFailure;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who is told of the services of one Weir. One thread at a time. */
final class Observers {
  private static final Logger LOG = LoggerFactory.getLogger(Observers.class);

  /** Copied at each change: an observer may remove itself while it is told. */
  private final List<WeirObserver> all = new CopyOnWriteArrayList<>();

  /** The one that {@link #set} replaces; null for none. */
  private WeirObserver set;

  /**
   * Replaces the observer of the last call.
   *
   * @param observer null for none
   * @param open the services that take messages
   */
  void set(WeirObserver observer, List<ManagedService> open) {
    remove(set, open);
    set = observer;
    if (observer != null) {
      add(observer, open);
    }
  }

  void add(WeirObserver observer, List<ManagedService> open) {
    all.add(observer);
    open.forEach(service -> service.observe(observer, observer.opened(service)));
  }

  void remove(WeirObserver observer, List<ManagedService> open) {
    if (all.removeIf(each -> each == observer)) {
      open.forEach(service -> service.observe(observer, null));
    }
  }

  void opened(ManagedService service) {
    all.forEach(observer -> service.observe(observer, observer.opened(service)));
  }

  void closed(ManagedService service) {
    for (WeirObserver observer : all) {
      try {
        observer.closed(service);
      } catch (Throwable e) {
        HeapExhaustion.report(e);
        LOG.error(
            "service {}: the observer failed when it was told of the end",
            service.address(),
            UserFailure.forLog(e));
      }
    }
  }
}
