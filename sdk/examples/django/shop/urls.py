from django.urls import path

from shop import views

urlpatterns = [
    path("", views.form),
    path("orders", views.create),
    path("orders/<uuid:order_id>", views.show),
    path("orders/<uuid:order_id>/pay", views.again),
    # Without a slash at its end, as Vezne has the address: CommonMiddleware would lead a POST to another one, and a redirect is a failure.
    path("vezne/callback", views.callback),
]
