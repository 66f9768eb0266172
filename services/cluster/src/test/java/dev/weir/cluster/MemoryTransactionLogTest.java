package dev.weir.cluster;

class MemoryTransactionLogTest extends TransactionLogContract {
  @Override
  TransactionLog open() {
    return new MemoryTransactionLog();
  }
}
