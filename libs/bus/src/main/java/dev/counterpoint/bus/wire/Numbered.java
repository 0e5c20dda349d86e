package dev.counterpoint.bus.wire;

/// A constant that crosses the bus as its number. The numbers of an enum never change and are never used again.
public interface Numbered {
    int number();
}
