package dev.counterpoint.local.doctor;

/// Something that is set up wrongly.
///
/// @param name fixed words joined by hyphens; `docs/operations.md` lists them
/// @param what is wrong, without a secret
/// @param remedy what to do about it
public record Misconfiguration(String name, String what, String remedy) {
    @Override
    public String toString() {
        return name + ": " + what + "\n    " + remedy;
    }
}
