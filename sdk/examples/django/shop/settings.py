from os import environ
from pathlib import Path

SECRET_KEY = environ["DJANGO_SECRET_KEY"]
ALLOWED_HOSTS = ["127.0.0.1", "localhost"]
INSTALLED_APPS = ["shop"]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
]
ROOT_URLCONF = "shop.urls"
DATABASES = {"default": {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": environ.get("SHOP_DATA", Path(__file__).resolve().parent.parent / "shop.sqlite3"),
}}
USE_TZ = True
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024  # a callback is smaller

VEZNE_URL = environ.get("PAY_URL", "")
VEZNE_API_KEY = environ.get("PAY_API_KEY", "")
VEZNE_SECRET_KEY = environ.get("PAY_SECRET_KEY", "")
VEZNE_CREDENTIAL_KEY = environ.get("PAY_CREDENTIAL_KEY", "")
VEZNE_WEBHOOK_SECRETS = environ.get("PAY_WEBHOOK_SECRET", "").split(" ")  # two while one is replaced
SHOP_URL = environ.get("SHOP_URL", "")
