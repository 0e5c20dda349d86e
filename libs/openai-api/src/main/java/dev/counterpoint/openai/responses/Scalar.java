package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonValue;
import java.math.BigDecimal;

/// A plain value, as an attribute of a file has it.
public sealed interface Scalar extends SearchFilter.Value {
    record Text(@JsonValue String text) implements Scalar {}

    record Number(@JsonValue BigDecimal number) implements Scalar {}

    record Flag(@JsonValue boolean flag) implements Scalar {}
}
