package dev.weir.flow;

/**
 * A consumer elsewhere, as the service sees it that hands messages on to it. The figures are read
 * while it works, so they are not one consistent moment.
 *
 * @param name as {@link RemoteConsumerOptions#setName} says, or its address
 * @param credits how many messages it takes at once
 * @param out how many it has and has not answered
 * @param answered how many it has answered since it came, failures included
 */
public record RemoteConsumerStats(String name, int credits, int out, long answered) {}
