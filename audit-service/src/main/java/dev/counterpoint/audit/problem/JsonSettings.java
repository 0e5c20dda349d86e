package dev.counterpoint.audit.problem;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import io.quarkus.jackson.ObjectMapperCustomizer;
import jakarta.inject.Singleton;

/// How this service reads and writes JSON: snake_case, nothing unknown, nothing twice; what fails to parse is quoted
/// nowhere.
@Singleton
class JsonSettings implements ObjectMapperCustomizer {
    @Override
    public void customize(ObjectMapper json) {
        json.setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
        json.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        json.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        json.getFactory().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION.mappedFeature());
        json.getFactory().disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION.mappedFeature());
    }
}
