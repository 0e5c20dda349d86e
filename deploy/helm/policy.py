"""The rules that every object of the chart keeps: `policy.py KUBERNETES FILE` prints each breach and ends with 1 if there is one."""

import json
import pathlib
import re
import sys

import jsonschema
import kubernetes_validate
import yaml

HERE = pathlib.Path(__file__).parent
WITH_PODS = {"Deployment", "Job"}
# Beyond the drain, before SIGKILL: docs/operations.md.
SPARE_SECONDS = 15
OURS = ("GATEWAY_", "WORKER_", "SUMMARIZER_", "AUDIT_")
SETTINGS = {
    re.sub(r"[^A-Z0-9]", "_", setting.upper())
    for setting in re.findall(r"^\| `([a-z][a-z0-9.-]+)`", (HERE / "../../docs/configuration.md").read_text(), re.MULTILINE)
}


def schema_breaches(thing, kubernetes):
    """A kind that neither Kubernetes nor schemas/ has is a breach."""
    group, _, version = thing["apiVersion"].rpartition("/")
    own = HERE / "schemas" / f"{group}-{version}-{thing['kind'].lower()}.json"
    try:
        if own.exists():
            jsonschema.Draft202012Validator(json.loads(own.read_text())).validate(thing)
        else:
            kubernetes_validate.validate(thing, kubernetes, strict=True)
    except kubernetes_validate.SchemaNotFoundError:
        yield f"kind {thing['apiVersion']} {thing['kind']} is unknown"
    except (kubernetes_validate.ValidationError, jsonschema.ValidationError) as wrong:
        yield f"is not valid: {wrong.message} at {'.'.join(map(str, wrong.absolute_path))}"


def seconds(duration):
    return int(duration.removesuffix("s"))


def pod_breaches(pod, labels):
    security = pod.get("securityContext", {})
    if security.get("runAsNonRoot") is not True or not security.get("runAsUser"):
        yield "a pod may run as root"
    if security.get("seccompProfile", {}).get("type") != "RuntimeDefault":
        yield "a pod has no seccomp profile"
    if pod.get("automountServiceAccountToken") is not False:
        yield "a pod gets a token of its service account"
    if pod.get("serviceAccountName", "default") == "default":
        yield "a pod has the default service account"
    for forbidden in ("hostNetwork", "hostPID", "hostIPC"):
        if pod.get(forbidden):
            yield f"a pod has {forbidden}"
    for volume in pod.get("volumes", []):
        if "hostPath" in volume:
            yield "a pod mounts the node's files"
    for container in pod.get("initContainers", []) + pod["containers"]:
        yield from container_breaches(container)
    yield from grace_breaches(pod)


def container_breaches(container):
    name = container["name"]
    security = container.get("securityContext", {})
    if security.get("readOnlyRootFilesystem") is not True:
        yield f"{name} may write to its root file system"
    if security.get("allowPrivilegeEscalation") is not False or security.get("capabilities", {}).get("drop") != ["ALL"]:
        yield f"{name} keeps privileges"
    if security.get("privileged") or security.get("runAsUser") == 0 or security.get("runAsNonRoot") is not True:
        yield f"{name} may be root"
    resources = container.get("resources", {})
    if "memory" not in resources.get("limits", {}) or not {"cpu", "memory"} <= resources.get("requests", {}).keys():
        yield f"{name} has no limit of memory, or no requests"
    image = container["image"]
    tag = image.rpartition("/")[2].partition("@")[0].partition(":")[2]
    if "@sha256:" not in image and tag in ("", "latest"):
        yield f"{name} has the image {image}, which is another tomorrow"
    for variable in container.get("env", []):
        words = variable["name"].split("_")
        if "value" in variable and {"PASSWORD", "TOKEN", "SECRET", "PASSPHRASE"} & set(words[-1:]):
            yield f"{name} has a secret among its values: {variable['name']}"
        if variable["name"].startswith(OURS) and variable["name"] not in SETTINGS:
            yield f"{name} has {variable['name']}, which is no setting of docs/configuration.md"


def grace_breaches(pod):
    """Who may drain for a time gets this time, the pause before it, and some to spare."""
    for container in pod["containers"]:
        variables = {it["name"]: it.get("value", "") for it in container.get("env", [])}
        pause = container.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
        for name in ("GATEWAY_DRAIN_TIMEOUT", "AUDIT_DRAIN_TIMEOUT"):
            if name in variables and "QUARKUS_INIT_AND_EXIT" not in variables:
                needed = seconds(variables[name]) + pause + SPARE_SECONDS
                if pod.get("terminationGracePeriodSeconds", 30) < needed:
                    yield f"{container['name']} is killed before {needed} s"
                if pause == 0:
                    yield f"{container['name']} drains while balancers still send to it"


def chart_breaches(things):
    """What holds of all objects together."""
    policies = [it["spec"] for it in things if it["kind"] == "NetworkPolicy"]
    budgets = [it["spec"]["selector"]["matchLabels"] for it in things if it["kind"] == "PodDisruptionBudget"]
    for thing in things:
        if thing["kind"] not in WITH_PODS:
            continue
        labels = thing["spec"]["template"]["metadata"]["labels"]
        for way in ("Ingress", "Egress"):
            if not any(matches(it["podSelector"]["matchLabels"], labels) and way in it["policyTypes"] for it in policies):
                yield f"{name(thing)} may speak to everybody ({way})"
        if thing["kind"] == "Deployment":
            if not any(matches(it, labels) for it in budgets):
                yield f"{name(thing)} has no disruption budget"
            if not thing["spec"]["template"]["spec"].get("topologySpreadConstraints"):
                yield f"{name(thing)} is not spread"
    for policy in policies:
        for rule in policy.get("ingress") or []:
            if not rule.get("from") or not rule.get("ports"):
                yield "a NetworkPolicy lets everybody in"
        for rule in policy.get("egress") or []:
            if not rule.get("to") or not rule.get("ports"):
                yield "a NetworkPolicy lets pods go everywhere"
    for thing in things:
        if thing["kind"] == "Secret":
            yield f"{name(thing)} is a secret in the chart"
        if thing["kind"] == "ServiceAccount" and thing.get("automountServiceAccountToken") is not False:
            yield f"{name(thing)} mounts its token"
        if thing["kind"] == "Ingress":
            paths = [path["path"] for rule in thing["spec"]["rules"] for path in rule["http"]["paths"]]
            if paths != ["/v1"]:
                yield f"{name(thing)} shows {paths}"


def matches(selector, labels):
    return all(labels.get(key) == value for key, value in selector.items())


def name(thing):
    return f"{thing['kind']} {thing['metadata']['name']}"


def breaches(things, kubernetes):
    for thing in things:
        for wrong in schema_breaches(thing, kubernetes):
            yield f"{name(thing)}: {wrong}"
        if thing["kind"] in WITH_PODS:
            template = thing["spec"]["template"]
            for wrong in pod_breaches(template["spec"], template["metadata"]["labels"]):
                yield f"{name(thing)}: {wrong}"
    yield from chart_breaches(things)


def load(file):
    return [thing for thing in yaml.safe_load_all(pathlib.Path(file).read_text()) if thing]


if __name__ == "__main__":
    found = list(breaches(load(sys.argv[2]), sys.argv[1]))
    for wrong in found:
        print(f"{pathlib.Path(sys.argv[2]).name}: {wrong}", file=sys.stderr)
    sys.exit(1 if found else 0)
