/// Checks of what goes over the wire against OpenAI's published contract. Who uses it adds
/// `com.networknt:json-schema-validator` with test scope.
@NullMarked
package dev.counterpoint.testkit.contract;

import org.jspecify.annotations.NullMarked;
