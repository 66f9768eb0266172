package dev.weir.flow.remote;

import dev.weir.flow.impl.ForwardedMessage;
import io.vertx.core.Promise;

/** A message that an owner has started: it waits for a consumer, or is at one. */
final class OutMessage {
  /** So many consumers may be lost with a message in their hands until that is a failed attempt. */
  private static final int MAX_LOSSES = 3;

  final ForwardedMessage message;

  /** By which those that wait are sorted: messages start in this order. */
  final long order;

  /** Completes when the message is settled. */
  final Promise<Object> result = Promise.promise();

  /** Where it is; null while it waits. */
  KnownConsumer at;

  /** Of this sending; each has another. */
  long number;

  /** How often it was handed to a consumer. */
  int sendings;

  /** How many consumers were given it and did not give it back by themselves. */
  private int losses;

  /** In how many renewals in turn its consumer did not name it. */
  int missed;

  OutMessage(ForwardedMessage message, long order) {
    this.message = message;
    this.order = order;
  }

  /**
   * A consumer may have handled it, and nobody knows.
   *
   * @return whether that happened so often that the next consumer is not to have it
   */
  boolean countLoss() {
    losses++;
    return losses >= MAX_LOSSES;
  }

  /** Whether it may end each consumer that has it: then no other is to be lost with it. */
  boolean isSuspect() {
    return losses == MAX_LOSSES - 1;
  }

  /** Which the next consumer is told. */
  int deliveryCount() {
    return message.deliveryCount() + losses;
  }
}
