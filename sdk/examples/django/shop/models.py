import uuid

from django.db import models


class Order(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4)  # the payment's reference
    amount = models.DecimalField(max_digits=11, decimal_places=2)
    idempotency_key = models.CharField(max_length=64)
    tracking_code = models.CharField(max_length=64, default="")
    status = models.CharField(max_length=16, default="new")
    credited = models.DecimalField(max_digits=11, decimal_places=2, default=0)
    sequence = models.PositiveIntegerField(default=0)  # of the last callback


class Callback(models.Model):
    """What was handled, in order."""

    id = models.CharField(primary_key=True, max_length=64)
    order = models.ForeignKey(Order, on_delete=models.CASCADE)
    sequence = models.PositiveIntegerField()
    status = models.CharField(max_length=16)
    amount = models.DecimalField(max_digits=11, decimal_places=2)
