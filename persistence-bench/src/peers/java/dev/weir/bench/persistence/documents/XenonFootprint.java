package dev.weir.bench.persistence.documents;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Documents of Xenon, each a service. Paused ones were stopped by the host, which starts them again
 * when they are asked for.
 */
final class XenonFootprint implements Footprint {
  /** Services at most that the host starts for itself once there are documents. */
  private static final int HOSTS_OWN = 8;

  private final Place place;
  private final XenonPeer xenon;
  private final XenonPeer.Documents documents;
  private final long othersBefore;
  private long created;

  XenonFootprint(Path directory, Place place) throws Exception {
    this.place = place;
    this.xenon = new XenonPeer(directory);
    xenon.pausesIdleServices(place == Place.PAUSED);
    this.documents =
        xenon.documents(
            place == Place.MEMORY ? XenonPeer.Work.PUT_MEMORY : XenonPeer.Work.POST_PERSISTED);
    this.othersBefore = xenon.services();
  }

  @Override
  public void create(int from, int to) throws Exception {
    documents.create(from, to);
    created += to - from;
  }

  private long running() {
    return xenon.services() - othersBefore;
  }

  @Override
  public boolean isSettled() {
    return place != Place.PAUSED || running() <= HOSTS_OWN;
  }

  @Override
  public long held() {
    return place == Place.PAUSED ? created - Math.max(0, running()) : running();
  }

  @Override
  public String read(int number) throws Exception {
    return documents.read(number);
  }

  @Override
  public void close() throws IOException {
    xenon.close();
  }
}
