package dev.weir.cluster.log;

class MemoryTransactionLogTest extends TransactionLogContract {
  @Override
  TransactionLog open() {
    return new MemoryTransactionLog();
  }
}
