package dev.counterpoint.gateway.admission;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.kafka.Topic.Band;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The isolated jobs of this gateway. Of each model, one at a time is with the workers, from the queue to its
/// end; the others wait here, fairly among tenants. So suspects hold up suspects only, and keep at most one
/// worker for each gateway from its other work. Not thread-safe.
final class IsolatedJobs {
    private final Map<Band, Integer> shares;
    private final Map<String, FairQueue> waiting = new HashMap<>();
    /// The job that is with the workers, by model.
    private final Map<String, ResponseId> sent = new HashMap<>();

    /// @param shares jobs of each band in a round, at least 1 each
    IsolatedJobs(Map<Band, Integer> shares) {
        this.shares = shares;
    }

    void add(PendingJob job) {
        queueOf(job).add(job);
    }

    /// A job that was sent did not get to the workers.
    void putBack(PendingJob job) {
        leave(job.response());
        queueOf(job).putBack(job);
    }

    /// A worker has the job, whoever sent it, or nobody needs it any more.
    void remove(PendingJob job) {
        queueOf(job).remove(job);
    }

    /// The response has left its worker, so the next one may go.
    void leave(ResponseId response) {
        sent.values().remove(response);
    }

    /// True if the job of this response is with the workers.
    boolean sent(ResponseId response) {
        return sent.containsValue(response);
    }

    /// Takes out the jobs that go to the workers now.
    List<PendingJob> next() {
        var next = new ArrayList<PendingJob>();
        waiting.forEach((model, queue) -> {
            if (!queue.isEmpty() && !sent.containsKey(model)) {
                var job = Objects.requireNonNull(queue.poll(_ -> true));
                sent.put(model, job.response());
                next.add(job);
            }
        });
        return next;
    }

    private FairQueue queueOf(PendingJob job) {
        return waiting.computeIfAbsent(job.model(), _ -> new FairQueue(shares));
    }
}
