package dev.counterpoint.bus.draft;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.RefusalListener;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.Wire;
import java.util.Optional;

/// One record of a topic `drafts.<model>`, signed by a summarizer: a worker of the model is asked for a text.
/// It is answered in [Topic#DRAFT_ANSWERS], or not at all.
///
/// @param response that the draft is for
/// @param model that is to write
/// @param deadlineMillis milliseconds since 1970 after which nobody needs the text any more
/// @param sealedTask a [DraftTask], sealed to workers and bound to this id and response
public record DraftRequest(DraftId id, ResponseId response, String model, long deadlineMillis, byte[] sealedTask) {
    private static final int VERSION = 1;

    @SuppressWarnings("checkstyle:ParameterNumber")
    public static DraftRequest seal(
            ResponseId response, String model, long deadlineMillis, DraftTask task, KeyRing keys) {
        var id = DraftId.create();
        var sealed = keys.sealFor(ServiceRole.WORKER, task.encode(), id.taskContext(response));
        return new DraftRequest(id, response, model, deadlineMillis, sealed);
    }

    /// What a worker is to do.
    ///
    /// @throws SealException when the task was sealed for another request or reader, or was altered
    /// @throws MalformedMessageException when it is no task
    public DraftTask open(KeyRing worker) {
        return DraftTask.decode(worker.open(sealedTask, id.taskContext(response)));
    }

    /// The topic that this request belongs on.
    ///
    /// @throws IllegalArgumentException when the model's name cannot be part of a topic's name
    public String topic() {
        return Topic.draftsName(model);
    }

    /// This request as the record of its topic.
    public byte[] signed(KeyRing summarizer) {
        return summarizer.signatures().sign(SignedRecord.DRAFT_REQUEST, topic(), encode());
    }

    /// Reads a record.
    ///
    /// @param topic the one it was read from
    /// @throws SealException when no summarizer signed it for this topic; this is counted
    /// @throws MalformedMessageException when it is no request
    public static DraftRequest verified(byte[] record, String topic, KeyRing keys) {
        var request = decode(keys.signatures().verified(SignedRecord.DRAFT_REQUEST, topic, record));
        if (!Topic.checkedModel(request.model).map(Topic::draftsName).equals(Optional.of(topic))) {
            keys.signatures().refused(topic, RefusalListener.Reason.PLACE);
            throw new SealException("a draft is asked of another model than its topic's");
        }
        return request;
    }

    public byte[] encode() {
        return BusProto.DraftRequest.newBuilder()
                .setVersion(VERSION)
                .setIdHigh(id.high())
                .setIdLow(id.low())
                .setResponse(response.toString())
                .setModelBytes(Wire.text(model))
                .setDeadlineMillis(deadlineMillis)
                .setSealedTask(Wire.bytes(sealedTask))
                .build()
                .toByteArray();
    }

    public static DraftRequest decode(byte[] bytes) {
        var in = Wire.parse(BusProto.DraftRequest.parser(), bytes, VERSION);
        return new DraftRequest(
                DraftId.of(in.getIdHigh(), in.getIdLow()),
                Wire.response(in.getResponse()),
                in.getModel(),
                in.getDeadlineMillis(),
                in.getSealedTask().toByteArray());
    }
}
