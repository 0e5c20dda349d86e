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
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/// One record of an inbox, signed by a summarizer: its worker is asked for a text. It is answered in
/// [Topic#DRAFT_ANSWERS], or not at all.
///
/// @param response that the draft is for
/// @param model that is to write
/// @param deadlineMillis milliseconds since 1970 after which nobody needs the text any more
/// @param sealedTask a [DraftTask], sealed to workers and bound to this id and response
public record DraftRequest(DraftId id, ResponseId response, String model, long deadlineMillis, byte[] sealedTask) {
    /// The ability of a model whose workers write drafts, as heartbeats name it.
    public static final String ABILITY = "drafts";

    private static final int VERSION = 1;
    /// Tickets have the id of their response here.
    private static final String KEY = "draft";

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
        return Topic.inboxName(model);
    }

    /// This request as a record of an inbox.
    public ProducerRecord<String, byte[]> record(int partition, KeyRing summarizer) {
        return new ProducerRecord<>(topic(), partition, KEY, signed(summarizer));
    }

    /// True if a record of an inbox is meant as a request for a draft, and is no ticket.
    public static boolean isMeantBy(ConsumerRecord<String, ?> record) {
        return KEY.equals(record.key());
    }

    /// This request as the value of its record.
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
        if (Topic.checkedModel(request.model).isEmpty() || !topic.equals(request.topic())) {
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
