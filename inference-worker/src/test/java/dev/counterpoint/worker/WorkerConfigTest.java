package dev.counterpoint.worker;

import dev.counterpoint.testkit.ConfigurationReference;
import org.junit.jupiter.api.Test;

class WorkerConfigTest {
    @Test
    void theReferenceSaysTheSame() {
        ConfigurationReference.check("inference-worker", WorkerConfig.class);
    }
}
