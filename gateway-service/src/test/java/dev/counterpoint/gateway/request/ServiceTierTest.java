package dev.counterpoint.gateway.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.openai.json.WireException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceTierTest {
    @ParameterizedTest
    @CsvSource({
        ",default,NORMAL",
        "auto,default,NORMAL",
        "default,default,NORMAL",
        "flex,flex,LOW",
        "scale,scale,HIGH",
        "priority,priority,HIGH"
    })
    void whatServesARequestThatAsksForIt(String asked, String served, Topic.Band band) {
        RequestRules.oneOf("service_tier", asked, ServiceTier.WORDS);
        assertThat(ServiceTier.of(asked).wireName()).isEqualTo(served);
        assertThat(ServiceTier.of(asked).band()).isEqualTo(band);
    }

    @Test
    void anotherTierIsRefusedByName() {
        assertThatThrownBy(() -> RequestRules.oneOf("service_tier", "Priority", ServiceTier.WORDS))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("service_tier")
                .hasMessageContaining("'flex', 'scale', 'priority'");
    }
}
