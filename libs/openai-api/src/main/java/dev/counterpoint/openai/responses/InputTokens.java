package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;

/// The answer of `POST /v1/responses/input_tokens`: how many tokens the request would send to the model.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "object")
@JsonTypeName("response.input_tokens")
public record InputTokens(long inputTokens) {}
