package dev.counterpoint.audit.log;

/// What the service writes beside a row's values: the salt of its commitment, and the code that nobody makes without
/// the service's key.
public record RowMark(byte[] salt, byte[] mac) {}
