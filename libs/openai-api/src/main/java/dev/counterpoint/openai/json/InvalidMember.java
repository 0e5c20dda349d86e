package dev.counterpoint.openai.json;

/// Thrown by a record's constructor when its members do not go together; reading turns it into a [WireException].
public final class InvalidMember extends IllegalArgumentException {
    private final String member;
    private final String why;

    /// @param member the member at fault, in wire spelling
    /// @param why ends the sentence "Invalid value for 'member': …", without a full stop
    public InvalidMember(String member, String why) {
        super(member + ": " + why);
        this.member = member;
        this.why = why;
    }

    public String member() {
        return member;
    }

    public String why() {
        return why;
    }
}
