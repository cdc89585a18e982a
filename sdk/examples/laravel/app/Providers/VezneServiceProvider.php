<?php

namespace App\Providers;

use App\Http\Controllers\VezneController;
use Illuminate\Support\Facades\Route;
use Illuminate\Support\ServiceProvider;
use Vezne\Provider;

/** Add it to the providers: in bootstrap/providers.php, before Laravel 11 in config/app.php. */
final class VezneServiceProvider extends ServiceProvider
{
    public function register(): void
    {
        $this->app->singleton(Provider::class, static function ($app): Provider {
            $own = $app['config']['vezne'];
            return new Provider((string) $own['url'], (string) $own['api_key'], (string) $own['secret_key'], (string) $own['credential_key']);
        });
    }

    public function boot(): void
    {
        // Laravel's trap: routes of the group "web" want a CSRF token, which Vezne cannot have, and answer 419. The callback's route is
        // outside of that group; its signature is what protects it. In routes/web.php it would need an exception:
        // validateCsrfTokens(except: …) in bootstrap/app.php, before Laravel 11 $except of VerifyCsrfToken.
        Route::post('/vezne/callback', [VezneController::class, 'callback']);

        Route::middleware('web')->group(static function (): void {
            Route::get('/', [VezneController::class, 'form']);
            Route::post('/orders', [VezneController::class, 'create']);
            Route::post('/orders/{id}/pay', [VezneController::class, 'again']);
            Route::get('/orders/{id}', [VezneController::class, 'show']);
        });
    }
}
