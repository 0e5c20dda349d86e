package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.tenancy.AuditSetting;
import dev.counterpoint.gateway.tenancy.Caller;
import dev.counterpoint.gateway.tenancy.Quotas;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Counts what turns used, for the limits and for the bill. Thread-safe.
///
/// Each response is counted once, however many gateways bring it to its end: with the row's ending, in one
/// transaction, where there is a row. One without a row is counted by the gateway whose client it answers and by
/// no other: once, or not at all where that gateway dies between the end and the count. That is to the client's
/// good, as is a count that cannot be written, which costs nobody an answer.
@ApplicationScoped
public class UsageCharges {
    private static final Logger LOG = LoggerFactory.getLogger(UsageCharges.class);
    /// Of English text; what is guessed wrong is put right at the end.
    private static final int BYTES_PER_TOKEN = 4;

    private final Quotas quotas;
    private final GatewayConfig config;

    UsageCharges(Quotas quotas, GatewayConfig config) {
        this.quotas = quotas;
        this.config = config;
    }

    /// The tokens that are kept for a response; null for a caller without limits.
    @Nullable
    Long kept(Caller caller, GenerationJob job) {
        if (!caller.limited()) {
            return null;
        }
        int output = job.maxOutputTokens() == 0 ? config.reservedOutputTokens() : job.maxOutputTokens();
        long text = (long) job.encode().length - imageCharacters(job);
        return text / BYTES_PER_TOKEN + output;
    }

    /// Lets a response in that costs no tokens.
    ///
    /// @throws dev.counterpoint.servicekit.ProblemException 429 when nothing is left
    public void admit(Caller caller, ResponseId response) {
        quotas.admit(caller, response, 0);
    }

    /// An image is not counted by its letters.
    private static long imageCharacters(GenerationJob job) {
        return job.prompt().stream()
                .filter(PromptItem.Illustrated.class::isInstance)
                .flatMap(item -> ((PromptItem.Illustrated) item).parts().stream())
                .mapToLong(part -> part.imageUrl().length())
                .sum();
    }

    /// Gives back the tokens of a response that was let in and never ran.
    public void giveBack(Caller caller, ResponseId response) {
        if (caller.limited()) {
            try {
                quotas.giveBack(response);
            } catch (RuntimeException e) {
                LOG.debug(
                        "responseId={} lease=expires error={}",
                        response,
                        e.getClass().getName());
            }
        }
    }

    /// The cost of a turn.
    public record Bill(Caller caller, Quotas.Used used) {
        public static Bill of(Caller caller, ResponseId response, String model, TurnEnding ending) {
            var tokens =
                    Optional.ofNullable(ending.used()).map(Quotas.Tokens::of).orElse(null);
            return new Bill(caller, new Quotas.Used(response.toString(), model, tokens));
        }

        /// The same for a turn whose prompt is charged elsewhere.
        public Bill withoutPrompt() {
            var tokens = used.tokens() == null ? null : used.tokens().withoutPrompt();
            return new Bill(caller, new Quotas.Used(used.response(), used.model(), tokens));
        }
    }

    /// Charges a turn together with the ending of its row.
    ///
    /// @return false when the row needs more than that; then nothing has changed
    boolean book(Bill bill, StoredResponses.Ending row) {
        return quotas.settle(bill.caller, bill.used, row);
    }

    /// Charges a turn with a row, within the transaction that writes the row's first ending.
    void book(Bill bill) {
        quotas.settle(bill.caller, bill.used);
    }

    /// Charges a turn without a row.
    public void charge(Bill bill) {
        try {
            quotas.settle(bill.caller, bill.used);
        } catch (RuntimeException e) {
            LOG.warn(
                    "tenant={} charge=lost error={}",
                    bill.caller.tenant(),
                    e.getClass().getName());
        }
    }

    /// The caller as far as the log of a response remembers it: without project and scopes. Its use is counted
    /// whether or not it has limits.
    public static Caller remembered(Accepted accepted) {
        return new Caller(accepted.tenant(), "", accepted.key(), Set.of(), null, AuditSetting.NEVER, true);
    }
}
