package dev.weir.launcher;

/** How a program writes its log and its own lines. */
enum LogFormat {
  /** For people. */
  TEXT,
  /** A JSON object a line, for machines. */
  JSON
}
