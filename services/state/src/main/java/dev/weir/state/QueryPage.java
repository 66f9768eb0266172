package dev.weir.state;

import java.util.List;

/**
 * A page of the answer to a query.
 *
 * @param documents at most as many as the limit; there may be fewer, or none, and still a further
 *     page, if many documents had to be looked at
 * @param cursor for {@link Query#setCursor} to get the next page; null if there is none
 */
public record QueryPage(List<Document> documents, String cursor) {}
