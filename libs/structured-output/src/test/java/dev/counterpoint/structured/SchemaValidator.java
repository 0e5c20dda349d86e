package dev.counterpoint.structured;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaException;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import java.util.List;
import java.util.Optional;

/// Another's reading of a schema, formats included.
final class SchemaValidator {
    private static final JsonSchemaFactory FACTORY = JsonSchemaFactory.getInstance(VersionFlag.V202012);
    private static final SchemaValidatorsConfig CONFIG =
            SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();

    private final JsonSchema schema;

    SchemaValidator(JsonNode schema) {
        // Both are read alike, so that equal numbers are equal.
        this.schema = FACTORY.getSchema(SchemaCase.parsed(schema.toString()), CONFIG);
    }

    /// One that says of the values of a case what the case says; nothing when it cannot read the schema, or
    /// differs.
    static Optional<SchemaValidator> agreeingWith(SchemaCase one) {
        try {
            var validator = new SchemaValidator(one.schema());
            boolean agrees = one.instances().stream()
                    .allMatch(instance -> validator.accepts(instance.text()) == instance.valid());
            return agrees ? Optional.of(validator) : Optional.empty();
        } catch (JsonSchemaException | UnsupportedOperationException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    boolean accepts(String text) {
        return complaints(SchemaCase.parsed(text)).isEmpty();
    }

    List<String> complaints(JsonNode value) {
        return schema.validate(withoutZeros(value)).stream()
                .filter(message -> !isMultiple(message))
                .map(Object::toString)
                .toList();
    }

    /// The validator takes 1 and 1.0 for different values where they are parts of others.
    private static JsonNode withoutZeros(JsonNode value) {
        var copy = value.deepCopy();
        switch (copy) {
            case ObjectNode object -> object.properties().forEach(one -> one.setValue(withoutZeros(one.getValue())));
            case ArrayNode array -> {
                for (int i = 0; i < array.size(); i++) {
                    array.set(i, withoutZeros(array.get(i)));
                }
            }
            case DecimalNode number
            when number.decimalValue().stripTrailingZeros().scale() <= 0 -> {
                return BigIntegerNode.valueOf(number.decimalValue().toBigInteger());
            }
            default -> {}
        }
        return copy;
    }

    /// The validator divides with too few digits.
    private static boolean isMultiple(ValidationMessage message) {
        return "multipleOf".equals(message.getType())
                && message.getInstanceNode()
                                .decimalValue()
                                .remainder(message.getSchemaNode().decimalValue())
                                .signum()
                        == 0;
    }
}
