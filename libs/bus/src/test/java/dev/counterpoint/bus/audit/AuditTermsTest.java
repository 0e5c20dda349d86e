package dev.counterpoint.bus.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuditTermsTest {
    @ParameterizedTest(name = "{index}")
    @ValueSource(strings = {"Zo\u00eb", "Zoe\u0308", " Zo\u00eb\n"})
    void oneNameInAllItsFormsIsOnePerson(String name) {
        var sent = new AuditTerms("optin-1", name, "").encode();

        assertThat(AuditTerms.decode(sent).subject()).isEqualTo("Zo\u00eb");
    }
}
