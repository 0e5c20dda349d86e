package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StaffTokenTest {
    @Test
    void takesRolesASubjectAndALifetime() {
        assertThat(StaffToken.Wanted.parse(
                        "--role", "auditor", "--subject", "jane", "--role", "compliance.read", "--lifetime", "8h"))
                .isEqualTo(new StaffToken.Wanted("jane", List.of("auditor", "compliance.read"), Duration.ofHours(8)));
    }

    @Test
    void lastsAnHourUnlessSaidOtherwise() {
        assertThat(StaffToken.Wanted.parse("--role", "auditor", "--subject", "jane")
                        .lifetime())
                .isEqualTo(Duration.ofHours(1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --role auditor                                  | --role and --subject are needed
            --subject jane                                  | --role and --subject are needed
            --role admin --subject jane                     | --role is one of
            --role auditor --subject jane --lifetime 31d    | --lifetime is 1s to 30d, not 31d
            --role auditor --subject jane --lifetime 0s     | --lifetime is 1s to 30d
            --role auditor --subject jane --lifetime soon   | --lifetime is 1s to 30d
            --role                                          | --role needs a value
            --key x                                         | unknown option --key
            """)
    void saysWhatIsWrong(String arguments, String message) {
        assertThatThrownBy(() -> StaffToken.Wanted.parse(arguments.split(" ")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
