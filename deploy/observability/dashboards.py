"""The dashboards, a page a role: `dashboards.py` writes grafana/dashboards/*.json anew, `dashboards.py --check` says what differs."""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent / "grafana" / "dashboards"
SOURCE = {"type": "prometheus", "uid": "counterpoint"}


def rate(metric, by, labels=""):
    return f"sum by ({by}) (rate({metric}{{{labels}}}[$__rate_interval]))" if labels else f"sum by ({by}) (rate({metric}[$__rate_interval]))"


def quantiles(metric, by="model"):
    return [
        (f"histogram_quantile({q}, sum by ({by}, le) (rate({metric}_bucket[$__rate_interval])))", f"p{int(q * 100)} {{{{{by}}}}}")
        for q in (0.5, 0.95, 0.99)
    ]


# title, unit, [(query, legend)]
PAGES = {
    "traffic": ("Counterpoint: traffic", [
        ("Requests", "reqps", [(rate("http_server_requests_seconds_count", "uri, status", 'service="gateway"'), "{{uri}} {{status}}")]),
        ("Responses under way, and waiting", "short", [("sum(counterpoint_gateway_open)", "open"), ("sum by (band) (counterpoint_gateway_waiting)", "waiting {{band}}"), ("sum(counterpoint_gateway_queued)", "in Kafka")]),
        ("Refused", "reqps", [(rate("counterpoint_gateway_refused_total", "reason"), "{{reason}}")]),
        ("Tokens", "short", [(rate("gen_ai_client_token_usage_tokens_sum", "gen_ai_token_type"), "{{gen_ai_token_type}} a second")]),
        ("Endings", "reqps", [(rate("gen_ai_server_request_duration_seconds_count", "finish"), "{{finish}}")]),
        ("Decisions of owners", "short", [("sum by (decision) (increase(counterpoint_gateway_decisions_total[$__rate_interval]))", "{{decision}}")]),
        ("Bus and partitions", "short", [("min by (instance) (counterpoint_bus_up)", "bus {{instance}}"), ("min by (instance) (counterpoint_gateway_owns)", "owns {{instance}}")]),
        ("Connections to PostgreSQL", "short", [("sum by (service) (agroal_active_count)", "in use {{service}}"), ("sum by (service) (agroal_awaiting_count)", "waited for {{service}}")]),
    ]),
    "latency": ("Counterpoint: latency", [
        ("Time to first token", "s", quantiles("gen_ai_server_time_to_first_token_seconds")),
        ("Time for each further token", "s", quantiles("gen_ai_server_time_per_output_token_seconds")),
        ("Whole request", "s", quantiles("gen_ai_server_request_duration_seconds")),
        ("Wait for a worker", "s", quantiles("counterpoint_worker_queue_wait_seconds", "band")),
        ("From taking a job to holding its response", "s", quantiles("counterpoint_worker_fence_seconds")),
        ("From taking a job to its first token", "s", quantiles("counterpoint_worker_first_token_seconds")),
        ("Masks", "s", quantiles("counterpoint_worker_mask_seconds")),
        ("Schemas and constraints compiled", "s", [("sum(rate(counterpoint_worker_constraint_compile_seconds_sum[$__rate_interval]))", "workers, seconds a second"), ("sum(rate(counterpoint_worker_constraint_reused_total[$__rate_interval]))", "reused")]),
    ]),
    "fleet": ("Counterpoint: GPU fleet", [
        ("Jobs that no worker has taken", "short", [("sum by (model) (counterpoint_queue_depth)", "{{model}}")]),
        ("Age of the oldest", "s", [("max by (model) (counterpoint_queue_age_seconds)", "{{model}}")]),
        ("Jobs under way and free slots", "short", [("sum by (model) (counterpoint_worker_running)", "running {{model}}"), ("sum by (model) (counterpoint_worker_free_slots)", "free {{model}}")]),
        ("Workers", "short", [("count by (model, engine) (counterpoint_worker_running)", "{{model}} {{engine}}")]),
        ("Tokens sampled", "short", [(rate("counterpoint_worker_tokens_total", "model"), "{{model}} a second")]),
        ("Jobs taken, by outcome", "short", [(rate("counterpoint_worker_jobs_total", "outcome"), "{{outcome}}")]),
        ("Attempts that went on with another's output", "short", [("sum by (model) (increase(counterpoint_worker_resumed_total[$__rate_interval]))", "{{model}}")]),
        ("Context memory", "short", [("sum by (model) (counterpoint_engine_free_tokens)", "free tokens {{model}}"), ("sum by (model) (counterpoint_engine_waiting)", "generations that wait {{model}}")]),
        ("Prompt tokens reused, memory given up", "short", [(rate("counterpoint_engine_reused_tokens_total", "model"), "reused {{model}}"), (rate("counterpoint_engine_preemptions_total", "model"), "preemptions {{model}}")]),
        ("Faults of the model's Harmony", "short", [(rate("counterpoint_worker_repairs_total", "model, kind"), "{{model}} {{kind}}")]),
    ]),
    "sealed-lane": ("Counterpoint: sealed lane", [
        ("Records refused", "short", [("sum by (topic, reason) (increase(counterpoint_bus_refused_total[$__rate_interval]))", "{{topic}} {{reason}}")]),
        ("Summarizers: age of the oldest frame not read", "ms", [("max by (instance) (counterpoint_summarizer_lag_milliseconds)", "{{instance}}")]),
        ("Responses followed", "short", [("sum by (instance) (counterpoint_summarizer_followed)", "{{instance}}")]),
        ("Parts and ends", "short", [(rate("counterpoint_summarizer_parts_total", "tier, language"), "{{tier}} {{language}}"), ("sum(rate(counterpoint_summarizer_ends_total[$__rate_interval]))", "ends")]),
        ("Withheld, failed, lost, refused", "short", [(f"sum(rate(counterpoint_summarizer_{it}_total[$__rate_interval]))", it) for it in ("withheld", "failures", "lost", "refused")]),
        ("Summaries given up by owners", "short", [('sum(increase(counterpoint_gateway_decisions_total{decision="summary_abandoned"}[$__rate_interval]))', "abandoned")]),
    ]),
    "audit": ("Counterpoint: audit", [
        ("Delay", "ms", [("max(audit_lag_millis)", "lag")]),
        ("Records stored", "short", [(rate("audit_records_total", "kind, first"), "{{kind}} first={{first}}")]),
        ("Who looked", "short", [("sum by (action, outcome) (increase(audit_access_entries_total[$__rate_interval]))", "{{action}} {{outcome}}")]),
        ("Denied", "short", [("sum(increase(audit_denials_total[$__rate_interval]))", "denied")]),
        ("Dead letters and retries", "short", [("sum by (topic) (increase(audit_dead_letters_total[$__rate_interval]))", "dead letters {{topic}}"), ("sum(increase(audit_intake_retries_total[$__rate_interval]))", "retries")]),
        ("Log changed", "short", [("max(counterpoint_audit_log_fault)", "changed")]),
        ("Records incomplete", "short", [(f"max(counterpoint_audit_records_{it})", it) for it in ("missing", "unconfirmed")]),
    ]),
}


def panel(number, title, unit, queries):
    return {
        "id": number + 1,
        "type": "timeseries",
        "title": title,
        "datasource": SOURCE,
        "gridPos": {"h": 8, "w": 12, "x": number % 2 * 12, "y": number // 2 * 8},
        "fieldConfig": {"defaults": {"unit": unit, "min": 0, "custom": {"fillOpacity": 10, "showPoints": "never"}}, "overrides": []},
        "options": {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi", "sort": "desc"}},
        "targets": [
            {"refId": chr(65 + i), "datasource": SOURCE, "expr": query, "legendFormat": legend}
            for i, (query, legend) in enumerate(queries)
        ],
    }


def dashboard(uid, title, panels):
    return {
        "uid": f"counterpoint-{uid}",
        "title": title,
        "tags": ["counterpoint"],
        "schemaVersion": 39,
        "editable": False,
        "graphTooltip": 1,
        "refresh": "10s",
        "time": {"from": "now-30m", "to": "now"},
        "timezone": "",
        "templating": {"list": []},
        "annotations": {"list": []},
        "panels": [panel(number, *it) for number, it in enumerate(panels)],
    }


def queries():
    """Every query, with an interval in the place of Grafana's."""
    for _, panels in PAGES.values():
        for _, _, targets in panels:
            for query, _ in targets:
                yield query.replace("$__rate_interval", "1m")


def main():
    if sys.argv[1:] == ["--queries"]:
        print("\n".join(queries()))
        return 0
    stale = []
    for uid, (title, panels) in PAGES.items():
        text = json.dumps(dashboard(uid, title, panels), indent=1) + "\n"
        file = HERE / f"{uid}.json"
        if sys.argv[1:] == ["--check"]:
            if not file.exists() or file.read_text() != text:
                stale.append(file.name)
        else:
            file.write_text(text)
    for name in stale:
        print(f"grafana/dashboards/{name} is not what dashboards.py writes", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
