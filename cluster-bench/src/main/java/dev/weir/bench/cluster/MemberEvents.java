package dev.weir.bench.cluster;

/** Is told what happens to members. Any thread. */
interface MemberEvents {

  /** A line of a member's output. */
  void onLine(String member, String line);

  /** Something was done, in words. */
  void add(String text);
}
