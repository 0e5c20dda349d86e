package dev.counterpoint.engine.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Small templates of our own, each about one thing that chat templates do.
class TemplateReferenceTest {
    static List<ReferenceCase> cases() {
        return ReferenceCase.in(Path.of("src/test/resources/templates"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void rendersWhatTransformersRenders(ReferenceCase one) {
        assertThat(one.template().render(one.conversation())).isEqualTo(one.text());
    }
}
