"""Breaks a rendered profile in one place after the other; policy.py has to find each: `policy_test.py FILE`."""

import copy
import sys

from policy import breaches, load

KUBERNETES = "1.33.0"


def deployment(things, part):
    return next(it for it in things if it["kind"] == "Deployment" and it["metadata"]["name"].endswith(part))


def pod(things, part="gateway"):
    return deployment(things, part)["spec"]["template"]["spec"]


def first(things, kind):
    return next(it for it in things if it["kind"] == kind)


SEEDED = {
    "may run as root": lambda it: pod(it)["securityContext"].update(runAsNonRoot=False),
    "no seccomp profile": lambda it: pod(it)["securityContext"].pop("seccompProfile"),
    "gets a token": lambda it: pod(it).pop("automountServiceAccountToken"),
    "default service account": lambda it: pod(it).pop("serviceAccountName"),
    "mounts the node's files": lambda it: pod(it)["volumes"].append({"name": "x", "hostPath": {"path": "/"}}),
    "may write to its root": lambda it: pod(it)["containers"][0]["securityContext"].pop("readOnlyRootFilesystem"),
    "keeps privileges": lambda it: pod(it)["initContainers"][0]["securityContext"].pop("capabilities"),
    "may be root": lambda it: pod(it)["containers"][0]["securityContext"].update(runAsUser=0),
    "no limit of memory": lambda it: pod(it)["containers"][0]["resources"].pop("limits"),
    "another tomorrow": lambda it: pod(it)["containers"][0].update(image="ghcr.io/counterpoint/gateway-service:latest"),
    "a secret among its values": lambda it: pod(it)["containers"][0]["env"].append({"name": "GATEWAY_ADMIN_TOKEN", "value": "x"}),
    "is no setting": lambda it: pod(it)["containers"][0]["env"].append({"name": "GATEWAY_DRAIN_TIME", "value": "1s"}),
    "is killed before": lambda it: pod(it).update(terminationGracePeriodSeconds=600),
    "drains while balancers": lambda it: pod(it)["containers"][0].pop("lifecycle"),
    "no disruption budget": lambda it: it.remove(first(it, "PodDisruptionBudget")),
    "is not spread": lambda it: pod(it, "summarizer").pop("topologySpreadConstraints"),
    "lets pods go everywhere": lambda it: next(
        x for x in it if x["kind"] == "NetworkPolicy" and x["metadata"]["name"].endswith("-gateway"))["spec"]["egress"].append({}),
    "may speak to everybody": lambda it: [it.remove(x) for x in list(it) if x["kind"] == "NetworkPolicy"],
    "mounts its token": lambda it: first(it, "ServiceAccount").pop("automountServiceAccountToken"),
    "Ingress counterpoint-gateway shows": lambda it: first(it, "Ingress")["spec"]["rules"][0]["http"]["paths"][0].update(path="/"),
    "is a secret in the chart": lambda it: it.append({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "x"}}),
    "is unknown": lambda it: first(it, "ScaledObject").update(kind="ScaledThing"),
    "Additional properties": lambda it: first(it, "ScaledObject")["spec"].update(minReplicas=1),
    "is not valid": lambda it: first(it, "KafkaUser")["spec"]["authorization"]["acls"][0].update(operations=["Reed"]),
}


def main():
    whole = load(sys.argv[1])
    missed = []
    for told, seed in SEEDED.items():
        things = copy.deepcopy(whole)
        seed(things)
        if not any(told in wrong for wrong in breaches(things, KUBERNETES)):
            missed.append(told)
    for told in missed:
        print(f"policy.py does not find: {told}", file=sys.stderr)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
