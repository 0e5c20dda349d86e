package dev.counterpoint.structured.schema;

/// Which of the texts of a value are written.
public enum ValueForm {
    /// Properties as the schema lists them, then those that it only requires, then all others; integers as digits
    /// alone.
    CANONICAL,

    /// Properties in any order, integers with or without a fraction of zeros: all that JSON Schema calls valid.
    /// Properties of objects that must show one of several things, such as `contains` or a negated `required`, keep
    /// the order of the schema when they are more than a few, and so do those of objects that require more than 64.
    ANY
}
