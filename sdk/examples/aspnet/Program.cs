using System;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Vezne;

/// <summary>A shop that takes deposits with Vezne, in ASP.NET Core.</summary>
static class Program
{
    static readonly Orders Store = new Orders(Env("SHOP_DATA") ?? "orders.tsv");
    static readonly Provider Client = new Provider(Env("PAY_URL"), Env("PAY_API_KEY"), Env("PAY_SECRET_KEY"), Env("PAY_CREDENTIAL_KEY"));

    static string Env(string name) => Environment.GetEnvironmentVariable(name);

    static void Main(string[] args)
    {
        var app = WebApplication.CreateBuilder(args).Build();
        app.MapPost("/vezne/callback", Callback);
        app.MapGet("/", context => Page(context, 200, "<form method=\"post\" action=\"/orders\"><input name=\"amount\" value=\"250.00\"><button>Pay</button></form>"));
        app.MapPost("/orders", Create);
        app.MapPost("/orders/{id}/pay", Again);
        app.MapGet("/orders/{id}", Show);
        app.Run("http://127.0.0.1:" + (Env("PORT") ?? "3000"));
    }

    // ASP.NET's trap: model binding ([FromBody], a typed parameter) reads the body as JSON, and what is written again has other bytes than
    // those that were signed. This takes the request itself. Where something before it reads the body, call EnableBuffering() ahead of that
    // and set Body.Position to 0 here.
    static async Task Callback(HttpContext context)
    {
        var raw = new MemoryStream();
        await context.Request.Body.CopyToAsync(raw);
        var headers = context.Request.Headers.ToDictionary(h => h.Key, h => h.Value.ToString());
        var check = Webhook.Verify(headers, raw.ToArray(), (Env("PAY_WEBHOOK_SECRET") ?? "").Split(' ')); // two while one is replaced
        if (!check.IsOk)
        {
            Console.Error.WriteLine("callback refused: " + check.Reason);
            context.Response.StatusCode = 401;
            return;
        }
        Store.Take(context.Request.Headers["webhook-id"].ToString(), check.Event);
        context.Response.ContentType = "application/json";
        await context.Response.WriteAsync("{\"success\":true}"); // only now: what is not answered with 200 is sent again
    }

    static async Task Create(HttpContext context)
    {
        var amount = (await context.Request.ReadFormAsync())["amount"].ToString();
        if (!Regex.IsMatch(amount, @"\A[1-9][0-9]{0,8}\.[0-9]{2}\z"))
        {
            await Page(context, 422, "An amount is written as 250.00.");
            return;
        }
        var id = Guid.NewGuid().ToString();
        Store.Add(new Order { Id = id, Amount = amount, Key = id + "-1" });
        await Pay(context, Store.Find(id));
    }

    // The customer tries again after Vezne could not be reached: the stored key makes one payment of it.
    static Task Again(HttpContext context) => Pay(context, Store.Find((string)context.Request.RouteValues["id"]));

    static async Task Pay(HttpContext context, Order order)
    {
        if (order == null)
        {
            context.Response.StatusCode = 404;
            return;
        }
        var fields = new Fields
        {
            { "fullname", "Ayşe Yılmaz" }, { "username", "ayse.yilmaz" }, { "user_id", "u-1001" }, // yours is context.User
            { "amount", order.Amount }, { "reference", order.Id }, { "return_url", Env("SHOP_URL") + "/orders/" + order.Id },
        };
        VezneException refused;
        try
        {
            var data = (await Client.StartManualDeposit(fields, order.Key)).Fields.Object("data");
            Store.Begun(order.Id, data);
            context.Response.StatusCode = 303;
            context.Response.Headers["Location"] = data.Text("payment_url");
            return;
        }
        catch (VezneException e)
        {
            refused = e;
        }
        Console.Error.WriteLine(refused.Message + " (request " + refused.RequestId + ")");
        if (refused.MayRepeat)
            await Page(context, 503, "<form method=\"post\" action=\"/orders/" + order.Id + "/pay\"><button>Try again</button></form>");
        else
            await Page(context, 502, "This payment is not possible.");
    }

    // return_url: that the customer comes back proves nothing. Where no callback has come yet, Vezne is asked.
    static async Task Show(HttpContext context)
    {
        var order = Store.Find((string)context.Request.RouteValues["id"]);
        if (order == null)
        {
            context.Response.StatusCode = 404;
            return;
        }
        if (order.Sequence == 0)
            try
            {
                Store.Learn(order.Id, (await Client.TransactionStatus(new Fields { { "reference", order.Id } })).Fields.Object("data"));
                order = Store.Find(order.Id);
            }
            catch (VezneException e)
            {
                Console.Error.WriteLine(e.Message + " (request " + e.RequestId + ")"); // the page says what is known
            }
        await Page(context, 200, "<p>Order over " + order.Amount + ": " + order.Status + ", credited " + order.Credited + " TRY, " +
            order.Callbacks.Count + " callbacks</p>");
    }

    static Task Page(HttpContext context, int status, string html)
    {
        context.Response.StatusCode = status;
        context.Response.ContentType = "text/html; charset=utf-8";
        return context.Response.WriteAsync(html);
    }
}
