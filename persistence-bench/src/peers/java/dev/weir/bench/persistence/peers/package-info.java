/** Further stores, compiled by the profile "peers" and found as services. */
package dev.weir.bench.persistence.peers;
