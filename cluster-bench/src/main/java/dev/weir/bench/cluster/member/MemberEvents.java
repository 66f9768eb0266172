package dev.weir.bench.cluster.member;

/** A listener for what happens to members. Any thread calls it. */
interface MemberEvents {

  /** A member has printed a line. */
  void onLine(String member, String line);

  /** A member has ended although nobody asked it to. */
  void onEnd(String member, String how);

  /** Something was done to the members; the text says what. */
  void add(String text);
}
