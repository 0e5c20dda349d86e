package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.openai.responses.ResponseEcho;

/// Plans of requests that ask for nothing special.
final class TestPlans {
    private TestPlans() {}

    static ResponsePlan of(boolean rawReasoning, boolean summaryDue, ResponseEcho echo) {
        return new ResponsePlan(ResponsePlan.KIND, rawReasoning, summaryDue, echo, null, null, null, null, null, null);
    }
}
