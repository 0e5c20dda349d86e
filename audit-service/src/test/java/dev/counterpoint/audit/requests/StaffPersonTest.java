package dev.counterpoint.audit.requests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.audit.accesslog.StaffAccess;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.accesslog.StaffAccess.Outcome;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StaffPersonTest {
    private static final StaffPerson OLGA = new StaffPerson("olga", "https://issuer", "7");

    @DisplayName("B11 a person is issuer and subject, or a name that reads the same")
    @ParameterizedTest(name = "{0} {1} {2}: {3}")
    @CsvSource({
        "amir,https://issuer,7,true",
        "amir,https://other,7,false",
        "amir,https://issuer,8,false",
        "Olga,https://other,8,true",
        "\u043elga,https://other,8,true"
    })
    void aPersonIsIssuerAndSubject(String name, String issuer, String subject, boolean same) {
        // Given what a request's event has of the person
        var event = OLGA.on(StaffAccess.of(OLGA.name(), Action.REQUEST, Outcome.GRANTED));
        var body = JsonNodeFactory.instance.objectNode();
        event.plain().forEach((member, value) -> body.put(member, value.toString()));
        // Then
        assertThat(StaffPerson.of(body).isSame(new StaffPerson(name, issuer, subject)))
                .isEqualTo(same);
    }
}
