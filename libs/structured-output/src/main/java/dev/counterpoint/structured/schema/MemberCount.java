package dev.counterpoint.structured.schema;

/// How many properties were written, as far as it matters. A grammar cannot remember names that no schema lists, so
/// all of those together count once towards `minProperties`: they could be the same name.
///
/// @param all that were written, for `maxProperties`
/// @param distinct that have certainly different names, for `minProperties`
/// @param others whether one was written that is not listed
record MemberCount(int all, int distinct, boolean others) {
    static final MemberCount NONE = new MemberCount(0, 0, false);
}
