package dev.weir.bench.persistence.documents;

import dev.weir.bench.load.RoundResult;
import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/** A process of Xenon that is told what to do as {@link DocumentsMain} is. */
final class XenonMain implements DocumentLoop {
  private final XenonPeer xenon;
  private final Map<DocumentWork, XenonPeer.Documents> works = new EnumMap<>(DocumentWork.class);

  private XenonMain(Path directory) throws IOException {
    this.xenon = new XenonPeer(directory);
  }

  /**
   * Runs until the end of its standard input. The first line that it prints has its port.
   *
   * @param args the directory of the documents
   */
  public static void main(String[] args) throws Exception {
    try (XenonMain main = new XenonMain(Path.of(args[0]))) {
      System.out.println("PORT " + main.xenon.port());
      DocumentsMain.serve(main);
    }
    System.exit(0);
  }

  private XenonPeer.Documents opened(DocumentWork work) throws Exception {
    XenonPeer.Documents opened = works.get(work);
    if (opened == null) {
      opened = xenon.documents(XenonPeer.Work.valueOf(work.name()));
      works.put(work, opened);
    }
    return opened;
  }

  @Override
  public RoundResult round(DocumentWork work, long operations) throws Exception {
    return opened(work).round(operations, LocalDocuments.IN_FLIGHT);
  }

  @Override
  public Verdict verdict(DocumentWork work) throws Exception {
    return opened(work).verdict();
  }

  @Override
  public void close() {
    xenon.close();
  }
}
