package dev.counterpoint.structured.text;

/// A pattern is malformed or uses what is not supported here. The message names the construct and where it stands,
/// not the pattern.
public final class UnsupportedPatternException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// @param position of the construct in the pattern, from 0
    public UnsupportedPatternException(String construct, int position) {
        super(construct + " at position " + position + " of the pattern is not supported.", null, false, false);
    }
}
