package dev.counterpoint.structured.schema;

/// In which order the properties of an object are written.
public enum PropertyOrder {
    /// As the schema lists them, then those that it only requires, then all others.
    SCHEMA,

    /// In any order. Where that would take too many rules, the required ones or all keep the order of the schema.
    /// In an object of many properties one that is not required may come twice, since a grammar cannot remember
    /// them all; readers of JSON take the last one.
    ANY
}
