"""Vezne for Python: the provider's API (E1 to E17), the dealer's (D1 to D8) and callbacks. Python 3.9 and later, nothing else.

Calls have the names that `vezne sign` has, and take a dict with the fields of the contract. Amounts are decimal text in both directions,
such as "250.00"; a float is refused before anything is sent.
"""

import base64
import binascii
import hashlib
import hmac
import http.client
import json
import re
import secrets as _random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

__all__ = ["Provider", "Dealer", "Answer", "VezneError", "Verified", "verify_callback", "verify_hash", "sign_hash", "sign_v2"]

VERSION = "1.0.0"


class VezneError(Exception):
    """A call that did not succeed. With status 0 there was no answer, and what became of the call is unknown: repeat it with
    idempotency_key."""

    def __init__(self, message, status=0, error="", code="", errors=(), request_id="", raw=b"", idempotency_key="", retry_after=None):
        super().__init__(message)
        self.status, self.error, self.code, self.errors = status, error, code, list(errors)
        self.request_id, self.raw, self.idempotency_key, self.retry_after = request_id, raw, idempotency_key, retry_after

    @property
    def may_repeat(self):
        """Whether the same call with the same idempotency key may succeed later."""
        return self.status in (0, 429) or self.status >= 500


class Answer(dict):
    """The fields of an answer, and what came beside them. A field or a value that is newer than this file is simply there."""

    def __init__(self, fields, raw, status, headers, idempotency_key):
        super().__init__(fields)
        self.raw, self.status, self.idempotency_key = raw, status, idempotency_key
        self.request_id = headers.get("X-Request-Id", "")
        self.is_replayed = headers.get("Idempotent-Replayed") == "true"


def sign_hash(api_key, secret_key, middle, timestamp):
    """Returns X-Hash: the SHA-256 of the parts without separators."""
    return hashlib.sha256((api_key + secret_key + middle + timestamp).encode()).hexdigest()


def sign_v2(secret_key, method, target, headers, body):
    """Returns X-Signature, which covers all of a request."""
    lines = ["vezne-request-v2", method, target]
    for name in ("X-Api-Key", "X-Site-Token", "X-Credential-Key", "X-Key", "Idempotency-Key", "X-Timestamp", "X-Nonce"):
        lines.append(name.lower() + ":" + headers.get(name, ""))
    lines.append("sha256:" + hashlib.sha256(body).hexdigest())
    return "v2=" + hmac.new(secret_key.encode(), "\n".join(lines).encode(), hashlib.sha256).hexdigest()


def _decode(text):
    """The fields of a JSON object, numbers with decimals as the text that they are; none where there is no object."""
    try:
        fields = json.loads(text, parse_float=str)
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, dict) else {}


def _check_amounts(value):
    if isinstance(value, float):
        raise TypeError("an amount is decimal text such as '250.00', never a float")
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ():
        _check_amounts(inner)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None  # a signature is for one address


class _Client:
    def __init__(self, base_url, secret_key, headers, signing="v2", language="", timeout=30, clock=time.time):
        if signing not in ("v2", "hash"):
            raise ValueError("signing is 'v2' or 'hash'")
        for name, value in {"base_url": base_url, "secret_key": secret_key, **headers}.items():  # as a variable that nobody has set
            if not value:
                raise ValueError(name + " is missing")
        self._base, self._secret, self._headers = base_url.rstrip("/"), secret_key, headers
        self._signing, self._language, self._timeout, self._clock = signing, language, timeout, clock
        self._opener = urllib.request.build_opener(_NoRedirect)

    def _call(self, method, target, fields=None, key_header="", key="", idempotency_key=None):
        """idempotency_key is None of a call that creates nothing, and empty where one is to be made."""
        _check_amounts(fields)
        body = b"" if fields is None else json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
        headers = dict(self._headers)
        if key:
            headers[key_header] = key
        if idempotency_key is not None:
            idempotency_key = idempotency_key or str(uuid.uuid4())
            headers["Idempotency-Key"] = idempotency_key
        headers["X-Timestamp"] = str(int(self._clock()))
        if self._signing == "v2":
            headers["X-Nonce"] = _random.token_hex(16)
            headers["X-Signature"] = sign_v2(self._secret, method, target, headers, body)
        else:
            caller = headers.get("X-Api-Key") or headers["X-Site-Token"]
            headers["X-Hash"] = sign_hash(caller, self._secret, key, headers["X-Timestamp"])
        headers["Content-Type"], headers["User-Agent"] = "application/json", "vezne-python/" + VERSION
        if self._language:
            headers["Accept-Language"] = self._language
        request = urllib.request.Request(self._base + target, data=body if method == "POST" else None, headers=headers, method=method)
        try:
            try:
                got = self._opener.open(request, timeout=self._timeout)
            except urllib.error.HTTPError as refusal:
                got = refusal
            with got:
                status, got_headers, raw = got.status, got.headers, got.read()
        except (OSError, http.client.HTTPException) as cause:
            raise VezneError("no answer: %s" % cause, idempotency_key=idempotency_key or "") from cause
        answer = Answer(_decode(raw), raw, status, got_headers, idempotency_key or "")
        if 200 <= status < 300:
            return answer
        sentences = answer.get("messages")
        said = answer.get("message") or "; ".join(map(str, sentences if isinstance(sentences, list) else ())) or "HTTP %d" % status
        errors = answer.get("errors")
        wait = got_headers.get("Retry-After", "")
        raise VezneError(
            str(said), status, answer.get("error", ""), answer.get("error_code", ""), errors if isinstance(errors, list) else (),
            answer.request_id, raw, answer.idempotency_key, int(wait) if re.fullmatch("[0-9]{1,9}", wait) else None)

    def _get(self, path, query=None):
        return self._call("GET", path + ("?" + urllib.parse.urlencode(query) if query else ""))


class Provider(_Client):
    """The provider's API. The credential key says which site a payment is for."""

    def __init__(self, base_url, api_key, secret_key, credential_key="", verification_key="", **options):
        super().__init__(base_url, secret_key, {"X-Api-Key": api_key}, **options)
        self._credential, self._verification = credential_key, verification_key

    def _create(self, path, fields, idempotency_key):
        return self._call("POST", "/api/provider/" + path, fields, "X-Credential-Key", self._credential, idempotency_key)

    def welcome(self):
        return self._call("POST", "/api/provider/welcome")

    def sites(self):
        return self._call("POST", "/api/provider/sites", None, "X-Key", self._verification)

    def start_manual_deposit(self, fields, idempotency_key=""):
        return self._create("start-manual-deposit", fields, idempotency_key)

    def start_manual_withdraw(self, fields, idempotency_key=""):
        return self._create("start-manual-withdraw", fields, idempotency_key)

    def start_eiban_deposit(self, fields, idempotency_key=""):
        return self._create("start-eiban-deposit", fields, idempotency_key)

    def start_eiban_withdraw(self, fields, idempotency_key=""):
        return self._create("start-eiban-withdraw", fields, idempotency_key)

    def credit_card_payment(self, fields, idempotency_key=""):
        fields = {"credential_key": self._credential, **fields}
        return self._call("POST", "/api/provider/credit-card/payment", fields, idempotency_key=idempotency_key)

    def credit_card_status(self, fields):
        return self._call("POST", "/api/provider/credit-card/status", fields)

    def bank_start_deposit(self, fields, idempotency_key=""):
        return self._create("third-party/bank/start-deposit", fields, idempotency_key)

    def bank_gateways(self):
        return self._get("/api/provider/third-party/bank/gateways")

    def bank_start_withdrawal(self, fields, idempotency_key=""):
        return self._create("third-party/bank/start-withdrawal", fields, idempotency_key)

    def crypto_start_deposit(self, fields, idempotency_key=""):
        return self._create("third-party/crypto/start-deposit", fields, idempotency_key)

    def crypto_gateways(self):
        return self._get("/api/provider/third-party/crypto/gateways")

    def crypto_start_withdrawal(self, fields, idempotency_key=""):
        return self._create("third-party/crypto/start-withdrawal", fields, idempotency_key)

    def wallet_start_deposit(self, fields, idempotency_key=""):
        return self._create("third-party/wallet/start-deposit", fields, idempotency_key)

    def wallet_gateways(self):
        return self._get("/api/provider/third-party/wallet/gateways")

    def wallet_start_withdrawal(self, fields, idempotency_key=""):
        return self._create("third-party/wallet/start-withdrawal", fields, idempotency_key)

    def transaction_status(self, fields):
        """fields has a tracking_code or a reference."""
        return self._call("POST", "/api/provider/transaction-status", fields)

    def test_clock(self, fields):
        """Moves the clock of a payment that was created with the field test; test installations alone have the call.

        fields has a tracking_code or a reference, and seconds.
        """
        return self._call("POST", "/api/provider/test-clock", fields)


class Dealer(_Client):
    """The dealer's API. With a site_token in place of the api_key it is that of one of the dealer's websites."""

    def __init__(self, base_url, secret_key, api_key="", site_token="", **options):
        super().__init__(base_url, secret_key, {"X-Api-Key": api_key} if api_key else {"X-Site-Token": site_token}, **options)

    def _create(self, path, fields, idempotency_key):
        return self._call("POST", "/api/dealer/" + path, fields, idempotency_key=idempotency_key)

    def settings(self):
        return self._get("/api/dealer/settings")

    def manual_iban_deposit(self, fields, idempotency_key=""):
        return self._create("manual-iban/deposit", fields, idempotency_key)

    def manual_iban_withdraw(self, fields, idempotency_key=""):
        return self._create("manual-iban/withdraw", fields, idempotency_key)

    def eibans(self):
        return self._get("/api/dealer/eibans")

    def transactions(self, fields):
        """fields has wallet_id, start_date, end_date, and page where it is not the first."""
        return self._get("/api/dealer/transactions", fields)

    def send_money(self, fields, idempotency_key=""):
        return self._create("send-money", fields, idempotency_key)

    def transfer_status(self, fields):
        """fields has a transfer_id."""
        return self._get("/api/dealer/transfer-status", fields)

    def credit_card_payment(self, fields, idempotency_key=""):
        return self._create("credit-card/payment", fields, idempotency_key)

    def transaction_status(self, fields):
        """fields has a tracking_code or a reference."""
        return self._get("/api/dealer/transaction-status", fields)

    def test_clock(self, fields):
        """Moves the clock of a payment that was created with the field test; test installations alone have the call.

        fields has a tracking_code or a reference, and seconds.
        """
        return self._call("POST", "/api/dealer/test-clock", fields)


class Verified:
    """What a check of a callback has found. Where it is not ok, reason is no_signature, stale, future, wrong_secret or body_changed."""

    def __init__(self, reason, event=None):
        self.ok, self.reason, self.event = reason == "", reason, event

    def __bool__(self):
        return self.ok


def _too_old(timestamp, tolerance, now):
    age = int(time.time() if now is None else now) - int(timestamp)
    return "stale" if age > tolerance else "future" if -age > tolerance else ""


def _is_as_sent(body):
    """Reports whether a body is written as Vezne writes it. If not, something on the way has decoded it and encoded it again."""
    bare = re.sub(rb'"[^"\\]*(?:\\(?:["\\bfnrt]|u(?:00[01][0-9a-f]|2028|2029|fffd))[^"\\]*)*"', b'""', body)
    return (body.startswith((b'{"tracking_code":', b'{"success":')) and re.search(rb'"amount":-?[0-9]+\.[0-9]{2}[,}]', body) is not None
            and re.fullmatch(rb'[{}:,"0-9.a-z-]*', bare) is not None)


def _prepare(headers, body, secrets):
    sent = {str(name).lower(): value for name, value in headers.items()}
    # a body that is no text was decoded by a framework already
    raw = body.encode() if isinstance(body, str) else bytes(body) if isinstance(body, (bytes, bytearray, memoryview)) else b""
    return sent, raw, [secrets] if isinstance(secrets, str) else list(secrets)


def _webhook_key(secret):
    try:
        return base64.b64decode(secret[6:] if secret.startswith("whsec_") else secret, validate=True)
    except (binascii.Error, ValueError):
        return secret.encode()


def verify_callback(headers, body, secrets, tolerance=300, now=None):
    """Checks the Standard Webhooks signature of a callback, which covers all of it.

    body has the bytes as they came, before any JSON parser; secrets is one "whsec_…" or several.
    """
    sent, raw, secrets = _prepare(headers, body, secrets)
    message, stamp = sent.get("webhook-id", ""), sent.get("webhook-timestamp", "")
    signatures = [s[3:] for s in sent.get("webhook-signature", "").split(" ") if s.startswith("v1,")]
    if not message or not re.fullmatch("[0-9]{1,12}", stamp) or not signatures:
        return Verified("no_signature")
    reason = _too_old(stamp, tolerance, now)
    if reason:
        return Verified(reason)
    for key in filter(None, map(_webhook_key, secrets)):  # with an empty one anybody signs
        mac = hmac.new(key, ("%s.%s." % (message, stamp)).encode() + raw, hashlib.sha256)
        want = base64.b64encode(mac.digest())
        if any(hmac.compare_digest(want, got.encode()) for got in signatures):
            return Verified("", _decode(raw))
    return Verified("wrong_secret" if _is_as_sent(raw) else "body_changed")


def verify_hash(headers, body, api_key, secrets, tolerance=300, now=None):
    """Checks X-Hash, which covers the tracking_code and the status alone: prefer verify_callback where there is a webhook-signature."""
    sent, raw, secrets = _prepare(headers, body, secrets)
    stamp, got = sent.get("x-timestamp", ""), sent.get("x-hash", "")
    if not got or not re.fullmatch("[0-9]{1,12}", stamp):
        return Verified("no_signature")
    reason = _too_old(stamp, tolerance, now)
    if reason:
        return Verified(reason)
    event = _decode(raw)
    code, status = event.get("tracking_code"), event.get("status")
    if not isinstance(code, str) or not isinstance(status, str):
        return Verified("body_changed")
    for secret in filter(None, secrets):
        if hmac.compare_digest(sign_hash(api_key, secret, code + status, stamp).encode(), got.lower().encode()):
            return Verified("", event)
    return Verified("wrong_secret" if event.get("hash") == got else "body_changed")
