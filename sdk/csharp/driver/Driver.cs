// Does what JSON lines on standard input say, and answers each with a line: the tests and `vezne sdk-check` drive the library so. It is
// compiled together with the library, whose JSON it uses.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Vezne
{
    static class Driver
    {
        static int Main()
        {
            var utf8 = new UTF8Encoding(false);
            using (var input = new StreamReader(Console.OpenStandardInput(), utf8))
            using (var output = new StreamWriter(Console.OpenStandardOutput(), utf8) { AutoFlush = true })
                for (string line; (line = input.ReadLine()) != null;)
                {
                    // a number with decimals reaches the library as a program's double would
                    var step = Json.Read(utf8.GetBytes(line), text => double.Parse(text, CultureInfo.InvariantCulture));
                    output.WriteLine(Json.Write(Play(step)));
                }
            return 0;
        }

        static Fields Play(Fields step)
        {
            switch (step.Text("do"))
            {
                case "call":
                    try { return Call(step); }
                    catch (ArgumentException e) { return new Fields { { "refused", e.Message } }; }
                case "sign":
                    var headers = Headers(step);
                    return new Fields
                    {
                        { "hash", Sign.Hash(step.Text("api_key"), step.Text("secret_key"), step.Text("middle"), headers["X-Timestamp"]) },
                        { "signature", Sign.V2(step.Text("secret_key"), step.Text("method"), step.Text("target"), headers, Body(step)) },
                    };
                default: return Verify(step);
            }
        }

        static Dictionary<string, string> Headers(Fields step) => step.Object("headers").ToDictionary(h => h.Key, h => (string)h.Value);

        static byte[] Body(Fields step) => Convert.FromBase64String(step.Text("body"));

        static Fields Verify(Fields step)
        {
            var secrets = step.List("secrets").Cast<string>();
            int tolerance = int.Parse(step.Text("tolerance"), CultureInfo.InvariantCulture);
            long now = long.Parse(step.Text("now"), CultureInfo.InvariantCulture);
            var v = step.Text("do") == "verify"
                ? Webhook.Verify(Headers(step), Body(step), secrets, tolerance, now)
                : Webhook.VerifyHash(Headers(step), Body(step), step.Text("api_key"), secrets, tolerance, now);
            return new Fields { { "ok", v.IsOk }, { "reason", v.Reason }, { "event", v.Event } };
        }

        static Client Client(Fields c, string now)
        {
            var options = new Options { UsesHash = c.Text("signing") == "hash", Language = c.Text("language") };
            if (now != "0") options.Clock = () => long.Parse(now, CultureInfo.InvariantCulture);
            if (c.Text("kind") == "dealer")
                return new Dealer(c.Text("base_url"), c.Text("secret_key"), c.Text("api_key"), c.Text("site_token"), options);
            return new Provider(
                c.Text("base_url"), c.Text("api_key"), c.Text("secret_key"), c.Text("credential_key"), c.Text("verification_key"), options);
        }

        static Fields Call(Fields step)
        {
            using (var client = Client(step.Object("client"), step.Text("now")))
            {
                var name = string.Concat(step.Text("name").Split('-').Select(word => char.ToUpperInvariant(word[0]) + word.Substring(1)));
                var method = client.GetType().GetMethod(name);
                var arguments = method.GetParameters().Select(p =>
                    p.Name == "fields" ? step["fields"] : p.Name == "idempotencyKey" ? (object)step.Text("idempotency_key") : default(CancellationToken));
                try
                {
                    var a = ((Task<Answer>)method.Invoke(client, arguments.ToArray())).GetAwaiter().GetResult();
                    return new Fields
                    {
                        { "fields", a.Fields }, { "status", a.Status }, { "request_id", a.RequestId }, { "raw", Convert.ToBase64String(a.Raw) },
                        { "idempotency_key", a.IdempotencyKey }, { "is_replayed", a.IsReplayed },
                    };
                }
                catch (VezneException e)
                {
                    return new Fields
                    {
                        { "is_error", true }, { "message", e.Message }, { "status", e.Status }, { "error", e.Error }, { "code", e.Code },
                        { "errors", e.Errors.Cast<object>().ToList() }, { "request_id", e.RequestId }, { "raw", Convert.ToBase64String(e.Raw) },
                        { "idempotency_key", e.IdempotencyKey }, { "retry_after", (int)(e.RetryAfter ?? TimeSpan.Zero).TotalSeconds },
                        { "may_repeat", e.MayRepeat },
                    };
                }
            }
        }
    }
}
