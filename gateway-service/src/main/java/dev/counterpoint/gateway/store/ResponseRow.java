package dev.counterpoint.gateway.store;

import dev.counterpoint.gateway.config.GatewayIncarnation;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One row of the table `response`; leaves this package as [StoredResponses.Row] only.
@Entity
@Table(name = "response")
class ResponseRow {
    @Id
    String id;

    @Column(name = "tenant_id")
    String tenant;

    @Column
    String project;

    @Column(name = "key_id")
    String key;

    @Column(name = "created_at")
    Instant createdAt;

    @Column
    String status;

    @Column
    String model;

    @Column
    boolean background;

    @Column
    boolean stored;

    @Column(name = "previous_response_id")
    @Nullable
    String previousResponseId;

    @Column(name = "input_items")
    @Nullable
    String inputItems;

    @Column
    @Nullable
    String response;

    @Column(name = "finished_at")
    @Nullable
    Instant finishedAt;

    @Column(name = "deleted_at")
    @Nullable
    Instant deletedAt;

    @Column(name = "expires_at")
    Instant expiresAt;

    @Column(name = "sealed_until")
    @Nullable
    Instant sealedUntil;

    @Column(name = "conversation_id")
    @Nullable
    String conversation;

    @Column(name = "conversation_before")
    @Nullable
    Long conversationBefore;

    /// The process that wrote it.
    @Column
    @Nullable
    String gateway;

    /// For Hibernate.
    ResponseRow() {}

    ResponseRow(StoredResponses.NewRow row) {
        gateway = GatewayIncarnation.name();
        id = row.id();
        tenant = row.owner().tenant();
        project = row.owner().project();
        key = row.key();
        createdAt = row.createdAt();
        status = StoredResponses.IN_PROGRESS;
        model = row.model();
        background = row.background();
        stored = row.stored();
        previousResponseId = row.previousResponseId();
        inputItems = row.inputItemsJson();
        expiresAt = row.expiresAt();
        conversation = row.place() == null ? null : row.place().conversation();
        conversationBefore =
                row.place() == null ? null : Long.valueOf(row.place().before());
        sealedUntil = SealedContent.mayBeIn(inputItems) ? row.createdAt().plus(StoredResponses.SEALED_LIFETIME) : null;
    }

    StoredResponses.@Nullable Place place() {
        return conversation == null || conversationBefore == null
                ? null
                : new StoredResponses.Place(conversation, conversationBefore);
    }

    void forgetSealed() {
        inputItems = SealedContent.withoutIfAny(inputItems);
        response = SealedContent.withoutIfAny(response);
        sealedUntil = null;
    }
}
