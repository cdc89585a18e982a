"""Does what JSON lines on standard input say, and answers each with a line: the tests and `vezne sdk-check` drive the library so."""

import base64
import json
import sys

import vezne


def client(c, now):
    options = {"signing": c["signing"], "language": c["language"]}
    if now:
        options["clock"] = lambda: now
    if c["kind"] == "dealer":
        return vezne.Dealer(c["base_url"], c["secret_key"], c["api_key"], c["site_token"], **options)
    return vezne.Provider(c["base_url"], c["api_key"], c["secret_key"], c["credential_key"], c["verification_key"], **options)


def call(step):
    arguments = [step["fields"]] if step["fields"] is not None else []
    if step["idempotency_key"]:
        arguments.append(step["idempotency_key"])
    try:
        a = getattr(client(step["client"], step["now"]), step["name"].replace("-", "_"))(*arguments)
    except vezne.VezneError as e:
        return {
            "is_error": True, "message": str(e), "status": e.status, "error": e.error, "code": e.code, "errors": e.errors,
            "request_id": e.request_id, "raw": base64.b64encode(e.raw).decode(), "idempotency_key": e.idempotency_key,
            "retry_after": e.retry_after or 0, "may_repeat": e.may_repeat,
        }
    except (TypeError, ValueError) as e:
        return {"refused": str(e)}
    return {
        "fields": dict(a), "status": a.status, "request_id": a.request_id, "raw": base64.b64encode(a.raw).decode(),
        "idempotency_key": a.idempotency_key, "is_replayed": a.is_replayed,
    }


def verify(step):
    body = base64.b64decode(step["body"])
    if step["do"] == "verify":
        v = vezne.verify_callback(step["headers"], body, step["secrets"], step["tolerance"], step["now"])
    else:
        v = vezne.verify_hash(step["headers"], body, step["api_key"], step["secrets"], step["tolerance"], step["now"])
    return {"ok": v.ok, "reason": v.reason, "event": v.event}


def sign(step):
    return {
        "hash": vezne.sign_hash(step["api_key"], step["secret_key"], step["middle"], step["headers"]["X-Timestamp"]),
        "signature": vezne.sign_v2(step["secret_key"], step["method"], step["target"], step["headers"], base64.b64decode(step["body"])),
    }


DOES = {"call": call, "verify": verify, "verify-hash": verify, "sign": sign}

for line in sys.stdin:
    said = json.loads(line)
    print(json.dumps(DOES[said["do"]](said)), flush=True)
