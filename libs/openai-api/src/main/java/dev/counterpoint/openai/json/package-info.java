/// One mapper for the whole wire: sealed families by `permits`, required members by nullness, errors that name the
/// field.
@NullMarked
package dev.counterpoint.openai.json;

import org.jspecify.annotations.NullMarked;
