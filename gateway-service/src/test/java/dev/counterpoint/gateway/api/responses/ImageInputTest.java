package dev.counterpoint.gateway.api.responses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.job.PromptItem.Illustrated.Part;
import dev.counterpoint.gateway.request.ImageSources;
import dev.counterpoint.openai.json.WireException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Images in the input of a response.
class ImageInputTest {
    private static final String IMAGE = """
            {"model":"m","input":[{"role":"user","content":[{"type":"input_text","text":"What?"},
            {"type":"input_image",%s}]}]}""";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'detail':'high','image_url':'data:image/jpeg;base64,/9j/4A' | data:image/jpeg;base64,/9j/4A | high",
                "'detail':'original','image_url':'https://a.example/b' | https://a.example/b | high",
                "'image_url':'https://a.example/b' | https://a.example/b | ''",
            })
    void imagesGoToAModelThatTakesThem(String members, String url, String detail) {
        var body = IMAGE.formatted(members.replace('\'', '"'));

        assertThat(TranslatedRequestTest.translate(body, List.of(), ImageSources.ADDRESSES)
                        .job()
                        .prompt())
                .containsExactly(new PromptItem.Illustrated(List.of(Part.text("What?"), new Part("", url, detail))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NONE | 'image_url':'https://a.example/b' | input[0].content[1]",
                "DATA | 'image_url':'https://a.example/b' | input[0].content[1]",
                "ADDRESSES | 'image_url':'http://a.example/b' | input[0].content[1]",
                "DATA | 'file_id':'file_1' | input[0].content[1].file_id",
                "DATA | 'detail':'low' | input[0].content[1].image_url",
            })
    void anImageThatIsNotTakenIsNamed(ImageSources taken, String members, String param) {
        var body = IMAGE.formatted(members.replace('\'', '"'));

        assertThatThrownBy(() -> TranslatedRequestTest.translate(body, List.of(), taken))
                .isInstanceOfSatisfying(
                        WireException.class,
                        refused -> assertThat(refused.param()).isEqualTo(param));
    }

    @Test
    void aPartOfAnUnknownTypeIsToldTheTypesThatAreTaken() {
        var body = """
                {"model":"m","input":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}""";

        assertThatThrownBy(() -> TranslatedRequestTest.translate(body, List.of(), ImageSources.NONE))
                .isInstanceOfSatisfying(WireException.class, refused -> {
                    assertThat(refused.param()).isEqualTo("input[0].content[0]");
                    assertThat(refused.code()).isEqualTo("invalid_value");
                    assertThat(refused.message())
                            .endsWith(": 'text'. Supported values are: 'input_text', 'input_image', 'output_text',"
                                    + " 'refusal'.");
                });
    }
}
