package dev.counterpoint.bus.access;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.bus.seal.PrivateFile;
import dev.counterpoint.bus.seal.SealException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialAlteration;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.ResourcePatternFilter;

/// Command that gives every service its account on the broker.
///
/// * `ProvisionBus accounts <folder>` writes the logins that a folder of keys lacks, `<role>.bus.properties`.
/// * `ProvisionBus apply <bootstrap> <admin.properties> <folder>` makes these accounts on a broker and lets each do
///   exactly what its service does. It may be run at any time: a new password is taken over, rules that are not
///   ours any more are removed, and topics that an earlier version made get the settings they need. The second
///   argument is a file of Kafka's client settings for an administrator.
///
/// Exit status: 0 done, 1 refused, 2 wrong arguments.
public final class ProvisionBus {
    private static final ScramCredentialInfo SCRAM = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4_096);

    private ProvisionBus() {}

    public static void main(String[] arguments) throws IOException {
        var given = List.of(arguments);
        try {
            if (given.size() == 2 && given.getFirst().equals("accounts")) {
                accounts(Path.of(given.get(1)));
            } else if (given.size() == 4 && given.getFirst().equals("apply")) {
                var login = BusAccount.settings(PrivateFile.read(Path.of(given.get(2))));
                apply(new KafkaClients(given.get(1), login), Path.of(given.get(3)));
            } else {
                System.err.println("usage: ProvisionBus accounts <folder>\n"
                        + "       ProvisionBus apply <bootstrap> <admin.properties> <folder>");
                System.exit(2);
            }
        } catch (SealException | KafkaException refused) {
            System.err.println(refused.getMessage());
            System.exit(1);
        }
    }

    /// Writes the logins that `folder` lacks.
    public static void accounts(Path folder) throws IOException {
        for (var role : ServiceRole.values()) {
            BusAccount.generate(folder, role);
        }
    }

    /// Writes the login of `role` anew, with a password of the caller's choice.
    public static void account(Path folder, ServiceRole role, String password) throws IOException {
        BusAccount.write(folder, role, password);
    }

    /// Makes the accounts of `folder` on the broker of `administrator`, and repairs topics that an earlier version
    /// made.
    ///
    /// @throws KafkaException when the broker refuses or does not answer
    /// @throws SealException when a login is missing or is no password
    public static void apply(KafkaClients administrator, Path folder) {
        try (var admin = administrator.admin()) {
            new Topics(admin).repair();
            for (var role : ServiceRole.values()) {
                provision(admin, role, BusAccount.of(folder, role));
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted while talking to the broker", e);
        }
    }

    private static void provision(Admin admin, ServiceRole role, BusAccount account)
            throws ExecutionException, InterruptedException {
        var upsertion = new UserScramCredentialUpsertion(account.name(), SCRAM, account.password());
        admin.alterUserScramCredentials(List.<UserScramCredentialAlteration>of(upsertion))
                .all()
                .get();
        var wanted = AccessRules.of(role, account.name());
        var there = Set.copyOf(admin.describeAcls(rulesOf(account)).values().get());
        var missing = new HashSet<>(wanted);
        missing.removeAll(there);
        admin.createAcls(missing).all().get();
        var obsolete = new ArrayList<AclBindingFilter>();
        there.stream()
                .filter(rule -> !wanted.contains(rule))
                .map(AclBinding::toFilter)
                .forEach(obsolete::add);
        admin.deleteAcls(obsolete).all().get();
    }

    static AclBindingFilter rulesOf(BusAccount account) {
        return new AclBindingFilter(
                ResourcePatternFilter.ANY,
                new AccessControlEntryFilter("User:" + account.name(), null, AclOperation.ANY, AclPermissionType.ANY));
    }
}
