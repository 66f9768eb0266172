package dev.weir.group.example;

/** Moves money to an account from another one, or pays it in if {@code from} is null. */
public record Transfer(String from, String to, long cents) {}
