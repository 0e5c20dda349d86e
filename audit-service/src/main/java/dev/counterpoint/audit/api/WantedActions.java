package dev.counterpoint.audit.api;

import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.records.ErasureStore;
import dev.counterpoint.audit.records.GatewayErasures;
import dev.counterpoint.audit.records.HoldStore;
import dev.counterpoint.audit.records.LostErasures;
import dev.counterpoint.audit.records.RecordStore;
import dev.counterpoint.audit.requests.ActionRequest;
import dev.counterpoint.audit.requests.RequestedAction;
import dev.counterpoint.audit.requests.RequestedAction.ConfirmErasures;
import dev.counterpoint.audit.requests.RequestedAction.ConfirmRestore;
import dev.counterpoint.audit.requests.RequestedAction.Erase;
import dev.counterpoint.audit.requests.RequestedAction.EraseTenant;
import dev.counterpoint.audit.requests.RequestedAction.Export;
import dev.counterpoint.audit.requests.RequestedAction.Grant;
import dev.counterpoint.audit.requests.RequestedAction.Read;
import dev.counterpoint.audit.requests.RequestedAction.ReleaseHold;
import dev.counterpoint.audit.requests.RequestedAction.Scan;
import dev.counterpoint.audit.scan.ScanJobs;
import dev.counterpoint.audit.store.RowTime;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;

/// Turns the body of a request into the action that it asks for, once its members keep their rules and what they name
/// is there. Methods need an open transaction. Thread-safe.
@ApplicationScoped
class WantedActions {
    private final ErasureStore erasures;
    private final GatewayErasures gateways;
    private final HoldStore holds;
    private final LostErasures lost;
    private final RecordStore records;
    private final EnvelopeKeys keys;
    private final CurrentStaff staff;
    private final TransactionRole role;
    private final int exportRecordsMax;

    WantedActions(
            ErasureStore erasures,
            GatewayErasures gateways,
            HoldStore holds,
            LostErasures lost,
            RecordStore records,
            EnvelopeKeys keys,
            CurrentStaff staff,
            TransactionRole role,
            AuditConfig config) {
        this.erasures = erasures;
        this.gateways = gateways;
        this.holds = holds;
        this.lost = lost;
        this.records = records;
        this.keys = keys;
        this.staff = staff;
        this.role = role;
        exportRecordsMax = config.exportRecordsMax();
    }

    /// @param id of the request
    /// @param sealed receives the encrypted members of the request's personal part
    /// @throws ProblemException when a member breaks its rule, or the requested object does not exist
    RequestedAction of(NewRequest body, String id, Map<String, byte[]> sealed) {
        return switch (body.wanted()) {
            case ERASE -> {
                var erase = erase(body);
                sealed.put(
                        ActionRequest.SEALED,
                        keys.sealName(erase.tenant(), id, body.whom().name()));
                gateways.seal(id, erase.tenant(), body.whom())
                        .ifPresent(token -> sealed.put(ActionRequest.GATEWAY_TOKEN, token));
                yield erase;
            }
            case ERASE_TENANT -> eraseTenant(body);
            case CONFIRM_ERASURES -> confirmation(body);
            case RELEASE_HOLD -> release(body);
            case CONFIRM_RESTORE -> confirmRestore();
            case READ -> read(body);
            case EXPORT, SCAN -> {
                var grant = grant(body);
                if (grant.filter().ofSubject()) {
                    var whom = Objects.requireNonNull(body.requiredFilter().whom());
                    sealed.put(ActionRequest.SEALED, keys.sealName(grant.tenant(), id, whom.name()));
                }
                yield grant;
            }
        };
    }

    private Erase erase(NewRequest body) {
        var tenant = body.requiredTenant();
        var whom = body.whom();
        staff.requireSees(tenant);
        erasures.requireKnown();
        role.erasing(tenant);
        return new Erase(
                tenant,
                keys.token(tenant, whom)
                        .map(HexFormat.of()::formatHex)
                        .orElseThrow(() -> new ProblemException(AuditProblem.notFound("This tenant"))));
    }

    private EraseTenant eraseTenant(NewRequest body) {
        var tenant = body.requiredTenant();
        staff.requireSees(tenant);
        erasures.requireKnown();
        role.erasing(tenant);
        if (!keys.knows(tenant)) {
            throw new ProblemException(AuditProblem.notFound("This tenant"));
        }
        return new EraseTenant(tenant);
    }

    private ConfirmErasures confirmation(NewRequest body) {
        var receipts = body.ids();
        staff.requireSees(null);
        role.staff(TransactionRole.EVERY_TENANT);
        var since = lost.unconfirmed().orElseThrow(() -> new ProblemException(AuditProblem.nothingLost()));
        if (receipts.stream().anyMatch(id -> erasures.find(id).isEmpty())) {
            throw new ProblemException(AuditProblem.invalid("receipts", "ids of erasures that are approved"));
        }
        return new ConfirmErasures(since.toString(), receipts);
    }

    private ConfirmRestore confirmRestore() {
        staff.requireSees(null);
        role.staff(TransactionRole.EVERY_TENANT);
        return holds.unconfirmedRestore().orElseThrow(() -> new ProblemException(AuditProblem.nothingLost()));
    }

    private ReleaseHold release(NewRequest body) {
        var id = FieldValidation.required("hold", body.hold());
        role.staff(TransactionRole.EVERY_TENANT);
        var hold = holds.find(id)
                .filter(found -> found.active() && staff.sees(found.tenant()))
                .orElseThrow(() -> new ProblemException(AuditProblem.notFound("This hold")));
        return new ReleaseHold(hold.tenant(), id);
    }

    private Read read(NewRequest body) {
        var response = FieldValidation.required("response", FieldValidation.response(body.response()));
        role.staff(TransactionRole.EVERY_TENANT);
        var tenant = records.tenant(response)
                .filter(staff::sees)
                .orElseThrow(() -> new ProblemException(AuditProblem.notFound("This record")));
        return new Read(tenant, response, Boolean.TRUE.equals(body.emergency()));
    }

    private Grant grant(NewRequest body) {
        var tenant = body.requiredTenant();
        var search = body.requiredFilter();
        var filter = search.alone();
        staff.requireSees(tenant);
        lost.requireNone();
        role.staff(tenant);
        if (!keys.knows(tenant)) {
            throw new ProblemException(AuditProblem.notFound("This tenant"));
        }
        var whom = search.whom();
        var token = whom == null
                ? null
                : keys.token(tenant, whom).map(HexFormat.of()::formatHex).orElseThrow();
        var grant = body.wanted() == NewRequest.Wanted.SCAN
                ? new Scan(tenant, token, filter, body.wantedLiterals(), body.wantedPattern())
                : new Export(tenant, token, filter, body.wantedRecipients(), body.forSubject(filter));
        int most = grant instanceof Scan ? ScanJobs.RECORDS_MAX : exportRecordsMax;
        int found = count(grant, RowTime.now());
        if (found > most) {
            throw new ProblemException(AuditProblem.invalid(
                    "filter", "one that finds at most %d records; this one finds %d".formatted(most, found)));
        }
        return grant;
    }

    /// How many records, leaves or receipts an action concerns.
    int count(RequestedAction action, Instant asked) {
        return switch (action) {
            case Grant grant -> records.count(grant.records(asked));
            case Erase erase -> records.count(erase.tenant(), erase.subjectToken());
            case EraseTenant erase -> records.count(erase.tenant());
            case ConfirmErasures confirmation -> confirmation.receipts().size();
            case ConfirmRestore restore -> Math.toIntExact(restore.to() - restore.from());
            case ReleaseHold _ -> 0;
            case Read _ -> 1;
        };
    }
}
