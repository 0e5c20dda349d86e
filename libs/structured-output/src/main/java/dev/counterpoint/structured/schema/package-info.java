/// JSON Schema as a grammar: what a schema demands of a value is taken apart by the value's type, exactly or not at
/// all.
@NullMarked
package dev.counterpoint.structured.schema;

import org.jspecify.annotations.NullMarked;
