package dev.counterpoint.bus.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicTest {
    @Test
    void theTopicOfAModelsInboxesIsNamedAfterIt() {
        assertThat(Topic.inboxName("openai/gpt-oss-20b")).isEqualTo("jobs.openai_gpt-oss-20b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "gpt:20b", "größe", "a\nb", "x,y"})
    void aModelWhoseNameKafkaWouldRefuseHasNoInboxes(String model) {
        assertThat(Topic.checkedModel(model)).isEmpty();
        assertThatThrownBy(() -> Topic.inboxName(model)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theLongestModelNameStillMakesATopicName() {
        assertThat(Topic.inboxName("m".repeat(128)).length()).isLessThanOrEqualTo(249);
        assertThat(Topic.checkedModel("m".repeat(129))).isEmpty();
    }

    @Test
    void answersToDraftsAreKeptForMinutesByTheBrokersClock() {
        assertThat(Topic.draftAnswers().partitions()).isOne();
        assertThat(Topic.draftAnswers().settings())
                .containsEntry(TopicConfig.RETENTION_MS_CONFIG, "300000")
                .containsEntry(TopicConfig.SEGMENT_MS_CONFIG, "60000")
                .containsEntry(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
    }

    @Test
    void onlyTopicsWithPromptsOrTracesTakeLargeRecords() {
        assertThat(Topic.frames(1).settings()).containsEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "16777216");
        assertThat(Topic.audit().settings()).containsEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "16777216");
        assertThat(Topic.control().settings()).doesNotContainKey(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
        assertThat(Topic.inbox("m", 1).settings()).doesNotContainKey(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
    }
}
