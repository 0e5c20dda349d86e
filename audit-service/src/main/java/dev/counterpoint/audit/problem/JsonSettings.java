package dev.counterpoint.audit.problem;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.quarkus.jackson.ObjectMapperCustomizer;
import jakarta.inject.Singleton;
import java.util.List;

/// How this service reads and writes JSON: snake_case, no unknown and no repeated members; parse errors quote nothing.
@Singleton
class JsonSettings implements ObjectMapperCustomizer {
    @Override
    public void customize(ObjectMapper json) {
        json.setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
        for (var shape : List.of(CoercionInputShape.Float, CoercionInputShape.String, CoercionInputShape.Boolean)) {
            json.coercionConfigFor(LogicalType.Integer).setCoercion(shape, CoercionAction.Fail);
        }
        json.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        json.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        json.getFactory().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION.mappedFeature());
        json.getFactory().disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION.mappedFeature());
    }
}
