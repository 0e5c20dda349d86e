package dev.counterpoint.servicekit;

/// Something that an operator has set up wrongly, or a limit that an operator should know.
///
/// @param code fixed words joined by hyphens; `docs/operations.md` lists them
/// @param text cause and remedy, without a secret
public record Misconfiguration(String code, String text) {}
