package dev.counterpoint.audit.log;

/// The service's mark of a row: the salt of its commitment, and a MAC under the service's key.
public record RowMark(byte[] salt, byte[] mac) {}
