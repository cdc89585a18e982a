<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Support\Facades\Schema;

return new class extends Migration {
    public function up(): void
    {
        Schema::create('orders', static function (Blueprint $table): void {
            $table->string('id', 36)->primary(); // the payment's reference
            $table->string('amount', 12); // decimal text, such as 250.00
            $table->string('idempotency_key', 64);
            $table->string('tracking_code', 64)->default('');
            $table->string('status', 16)->default('new');
            $table->string('credited', 12)->default('0.00');
            $table->unsignedInteger('sequence')->default(0); // of the last callback
        });
        Schema::create('order_callbacks', static function (Blueprint $table): void { // what was handled, in order
            $table->string('id', 64)->primary();
            $table->string('order_id', 36)->index();
            $table->unsignedInteger('sequence');
            $table->string('status', 16);
            $table->string('amount', 12);
        });
    }

    public function down(): void
    {
        Schema::dropIfExists('order_callbacks');
        Schema::dropIfExists('orders');
    }
};
