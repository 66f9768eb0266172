package dev.weir.bench.cluster.member;

/** Is told what happens to members. Any thread. */
interface MemberEvents {

  /** A line of a member's output. */
  void onLine(String member, String line);

  /** A member has ended, which nobody asked it to do. */
  void onEnd(String member, String how);

  /** Something was done, in words. */
  void add(String text);
}
