"""A shop that takes deposits with Vezne."""
import logging
import re
import uuid
from decimal import Decimal

import vezne
from django.conf import settings
from django.db import transaction
from django.http import HttpResponse, HttpResponseRedirect, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404
from django.utils.html import format_html
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from shop.models import Callback, Order

log = logging.getLogger(__name__)
client = vezne.Provider(settings.VEZNE_URL, settings.VEZNE_API_KEY, settings.VEZNE_SECRET_KEY, settings.VEZNE_CREDENTIAL_KEY)
CUSTOMER = {"fullname": "Ayşe Yılmaz", "username": "ayse.yilmaz", "user_id": "u-1001"}  # yours is request.user


def page(request, html, *args, status=200):
    token = format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', get_token(request))
    return HttpResponse(format_html(html, *args, token=token), status=status)


@require_GET
def form(request):
    return page(request, '<form method="post" action="/orders">{token}<input name="amount" value="250.00"><button>Pay</button></form>')


@require_POST
def create(request):
    amount = request.POST.get("amount", "")
    if not re.fullmatch(r"[1-9][0-9]{0,8}\.[0-9]{2}", amount):
        return HttpResponse("An amount is written as 250.00.", status=422)
    order_id = uuid.uuid4()
    # The order is kept, with the idempotency key of its payment, before Vezne is called.
    Order.objects.create(id=order_id, amount=Decimal(amount), idempotency_key="%s-1" % order_id)
    return pay(request, order_id)


@require_POST
def again(request, order_id):
    """The customer tries again after Vezne could not be reached: the stored key makes one payment of it."""
    return pay(request, order_id)


def pay(request, order_id):
    order = get_object_or_404(Order, id=order_id)
    try:
        answer = client.start_manual_deposit({
            **CUSTOMER, "amount": "%.2f" % order.amount, "reference": str(order_id), "return_url": "%s/orders/%s" % (settings.SHOP_URL, order_id),
        }, order.idempotency_key)
    except vezne.VezneError as e:
        log.error("%s (request %s)", e, e.request_id)
        if not e.may_repeat:
            return HttpResponse("This payment is not possible.", status=502)
        return page(request, '<form method="post" action="/orders/{}/pay">{token}<button>Try again</button></form>', order_id, status=503)
    Order.objects.filter(id=order_id).update(tracking_code=answer["data"]["tracking_code"])
    Order.objects.filter(id=order_id, status="new").update(status="open")  # the callback may have come before
    redirect = HttpResponseRedirect(answer["data"]["payment_url"])
    redirect.status_code = 303
    return redirect


@require_GET
def show(request, order_id):
    """What return_url leads to. That the customer comes back proves nothing. Where no callback has come yet, Vezne is asked."""
    order = get_object_or_404(Order, id=order_id)
    if order.sequence == 0:
        try:
            learn(order_id, client.transaction_status({"reference": str(order_id)})["data"])
        except vezne.VezneError as e:
            log.error("%s (request %s)", e, e.request_id)  # the page says what is known
        order.refresh_from_db()
    return page(request, "<p>Order over {}: {}, credited {} TRY, {} callbacks</p>",
                "%.2f" % order.amount, order.status, "%.2f" % order.credited, order.callback_set.count())


# Django's traps: csrf_exempt, since Vezne has no token, and request.body, which is the bytes as they came. request.POST or json.loads and
# json.dumps have other ones than those that were signed, and after reading request.POST there may be no request.body any more.
@csrf_exempt
@require_POST
def callback(request):
    checked = vezne.verify_callback(request.headers, request.body, settings.VEZNE_WEBHOOK_SECRETS)
    if not checked:
        log.error("callback refused: %s", checked.reason)
        return HttpResponse(status=401)
    take(request.headers["webhook-id"], checked.event)
    return JsonResponse({"success": True})  # only now: what is not answered with 200 is sent again


def outcome(of):
    """The amount is what has been paid, which may be another than was asked for. It is set, never added: what comes twice counts once."""
    return {"status": of["status"], "credited": Decimal(of["amount"]) if of["status"] == "completed" else 0}


@transaction.atomic
def take(callback_id, event):
    """Takes a callback. Its id is that of webhook-id, which the signature covers."""
    try:
        order = Order.objects.select_for_update().get(id=uuid.UUID(event.get("reference", "")))
    except (ValueError, Order.DoesNotExist):
        return  # a test callback, or no order of this shop
    if order.tracking_code not in ("", event["tracking_code"]):
        return  # another payment than the one that this shop has begun
    if event["sequence"] <= order.sequence:
        return  # handled already, or a later one was
    Callback.objects.create(id=callback_id, order=order, sequence=event["sequence"], status=event["status"], amount=Decimal(event["amount"]))
    Order.objects.filter(id=order.id).update(tracking_code=event["tracking_code"], sequence=event["sequence"], **outcome(event))


def learn(order_id, data):
    """Takes the answer of transaction-status, as long as no callback has come: a callback knows better."""
    if data["is_final"]:
        Order.objects.filter(id=order_id, sequence=0).update(**outcome(data))
