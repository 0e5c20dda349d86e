package dev.counterpoint.bus.wire;

/// An enum whose constants cross the bus as numbers: their positions, unless the enum says otherwise. `bus.proto` lists
/// the numbers, which never change, and a test compares them.
public interface Numbered {
    int ordinal();

    default int number() {
        return ordinal();
    }
}
