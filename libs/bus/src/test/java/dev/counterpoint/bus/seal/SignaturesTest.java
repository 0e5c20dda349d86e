package dev.counterpoint.bus.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.BusProto;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Records that are no frames: one signature, by one role, for one kind on one topic.
class SignaturesTest {
    private static final byte[] CONTENT = BusProto.StopCommand.newBuilder()
            .setVersion(1)
            .setResponse("content")
            .setStopBefore(7)
            .build()
            .toByteArray();

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void whatTheRoleOfAKindSignedIsReadBack(SignedRecord kind) {
        assertThat(verified(kind, Topic.AUDIT, signed(kind, kind.signer(), Topic.AUDIT)))
                .isEqualTo(CONTENT);
    }

    @ParameterizedTest
    @EnumSource
    void h4NobodyElsesSignatureCounts(SignedRecord kind) {
        for (var role : ServiceRole.values()) {
            if (role != kind.signer()) {
                assertRefused(kind, Topic.AUDIT, signed(kind, role, Topic.AUDIT));
            }
        }
        assertRefused(kind, Topic.AUDIT, CONTENT);
    }

    @ParameterizedTest
    @EnumSource
    void h4WhatWasSignedAsOneThingIsNoOther(SignedRecord kind) {
        for (var other : SignedRecord.values()) {
            if (other != kind) {
                assertRefused(other, Topic.AUDIT, signed(kind, kind.signer(), Topic.AUDIT));
            }
        }
    }

    @Test
    void h1ATicketOfOneQueueIsNoneOfAnother() {
        var ticket = signed(SignedRecord.JOB_TICKET, ServiceRole.GATEWAY, Topic.inboxName("small"));

        assertRefused(SignedRecord.JOB_TICKET, Topic.inboxName("large"), ticket);
    }

    @Test
    void everyBitAndEveryCutOfASignedRecordIsUnderItsSignature() {
        var record = signed(SignedRecord.STOP_COMMAND, ServiceRole.GATEWAY, Topic.CONTROL);
        for (int bit = 0; bit < 8 * record.length; bit++) {
            var flipped = record.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertRefused(SignedRecord.STOP_COMMAND, Topic.CONTROL, flipped);
        }
        for (int length = 0; length < record.length; length++) {
            assertRefused(SignedRecord.STOP_COMMAND, Topic.CONTROL, Arrays.copyOf(record, length));
        }
        assertRefused(SignedRecord.STOP_COMMAND, Topic.CONTROL, Arrays.copyOf(record, record.length + 1));
    }

    @Test
    void refusalsAreTold() {
        // Given
        var told = new ArrayList<String>();
        var ring = KeyRing.load(TestKeys.FOLDER, ServiceRole.WORKER, (topic, reason) -> told.add(topic + " " + reason));
        // When
        assertThatThrownBy(() -> ring.signatures().verified(SignedRecord.STOP_COMMAND, Topic.CONTROL, CONTENT))
                .isInstanceOf(SealException.class);
        // Then
        assertThat(told).isEqualTo(List.of("control SIGNATURE"));
    }

    @Test
    void aSigningKeyThatOthersCanReadIsRefused() throws Exception {
        GenerateKeys.into(folder);
        var own = folder.resolve(Signatures.privateFile(ServiceRole.WORKER));
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rw-r-----"));

        assertThatThrownBy(() -> KeyRing.load(folder, ServiceRole.WORKER))
                .isInstanceOf(SealException.class)
                .hasMessageContaining("can be read by others");
    }

    @Test
    void aServiceNeedsNoSigningKeyOfAnother() throws Exception {
        GenerateKeys.into(folder);
        for (var role : List.of(ServiceRole.GATEWAY, ServiceRole.SUMMARIZER, ServiceRole.AUDIT)) {
            Files.delete(folder.resolve(Signatures.privateFile(role)));
            Files.delete(folder.resolve(KeyRing.privateFile(role)));
        }

        assertThat(KeyRing.load(folder, ServiceRole.WORKER).self()).isEqualTo(ServiceRole.WORKER);
    }

    private static byte[] signed(SignedRecord kind, ServiceRole by, String topic) {
        return TestKeys.of(by).signatures().sign(kind, topic, CONTENT);
    }

    private static byte[] verified(SignedRecord kind, String topic, byte[] record) {
        return TestKeys.of(ServiceRole.AUDIT).signatures().verified(kind, topic, record);
    }

    private static void assertRefused(SignedRecord kind, String topic, byte[] record) {
        assertThatThrownBy(() -> verified(kind, topic, record)).isInstanceOf(SealException.class);
    }
}
