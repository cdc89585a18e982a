// Vezne for C#: the provider's API (E1 to E17), the dealer's (D1 to D8) and callbacks. .NET Standard 2.0, so .NET Framework 4.7.2,
// .NET 5 and later and Mono; nothing else.
//
// Calls have the names that `vezne sign` has, and take a dictionary with the fields of the contract. Amounts are decimal text in both
// directions, such as "250.00"; a double, a float or a decimal is refused before anything is sent.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

namespace Vezne
{
    /// <summary>
    /// The fields of a request, an answer or a callback: text, long, bool, null, Fields or a List of these. A number with decimals is text. A
    /// field or a value that is newer than this file is simply there.
    /// </summary>
    public sealed class Fields : Dictionary<string, object>
    {
        /// <summary>A field that is text or a number; empty where there is no such field.</summary>
        public string Text(string name) =>
            TryGetValue(name, out var v) && (v is string || v is long) ? Convert.ToString(v, CultureInfo.InvariantCulture) : "";

        /// <summary>A field that has fields itself; none where there is no such field.</summary>
        public Fields Object(string name) => TryGetValue(name, out var v) && v is Fields inner ? inner : new Fields();

        /// <summary>A field that is a list; an empty one where there is no such field.</summary>
        public List<object> List(string name) => TryGetValue(name, out var v) && v is List<object> inner ? inner : new List<object>();
    }

    /// <summary>An answer, and what came beside its fields.</summary>
    public sealed class Answer
    {
        public Fields Fields { get; internal set; }
        public byte[] Raw { get; internal set; }
        public int Status { get; internal set; }
        public string RequestId { get; internal set; }
        public string IdempotencyKey { get; internal set; }
        public bool IsReplayed { get; internal set; }
    }

    /// <summary>
    /// A call that did not succeed. With status 0 there was no answer, and what became of the call is unknown: repeat it with IdempotencyKey.
    /// </summary>
    public sealed class VezneException : Exception
    {
        internal VezneException(string message, Exception cause = null) : base(message, cause) { }

        public int Status { get; internal set; }
        public string Error { get; internal set; } = "";
        public string Code { get; internal set; } = "";
        public List<Fields> Errors { get; internal set; } = new List<Fields>();
        public string RequestId { get; internal set; } = "";
        public byte[] Raw { get; internal set; } = new byte[0];
        public string IdempotencyKey { get; internal set; } = "";
        public TimeSpan? RetryAfter { get; internal set; }

        /// <summary>Whether the same call with the same idempotency key may succeed later.</summary>
        public bool MayRepeat => Status == 0 || Status == 429 || Status >= 500;
    }

    /// <summary>Both signatures of a request.</summary>
    public static class Sign
    {
        static readonly string[] Signed =
            { "X-Api-Key", "X-Site-Token", "X-Credential-Key", "X-Key", "Idempotency-Key", "X-Timestamp", "X-Nonce" };

        /// <summary>Returns X-Hash: the SHA-256 of the parts without separators.</summary>
        public static string Hash(string apiKey, string secretKey, string middle, string timestamp) =>
            Sha256(Encoding.UTF8.GetBytes(apiKey + secretKey + middle + timestamp));

        /// <summary>Returns X-Signature, which covers all of a request.</summary>
        public static string V2(string secretKey, string method, string target, IDictionary<string, string> headers, byte[] body)
        {
            var lines = new List<string> { "vezne-request-v2", method, target };
            lines.AddRange(Signed.Select(name => name.ToLowerInvariant() + ":" + (headers.TryGetValue(name, out var value) ? value : "")));
            lines.Add("sha256:" + Sha256(body));
            using (var mac = new HMACSHA256(Encoding.UTF8.GetBytes(secretKey)))
                return "v2=" + Hex(mac.ComputeHash(Encoding.UTF8.GetBytes(string.Join("\n", lines))));
        }

        static string Sha256(byte[] data)
        {
            using (var sha = SHA256.Create())
                return Hex(sha.ComputeHash(data));
        }

        static string Hex(byte[] data) => string.Concat(data.Select(b => b.ToString("x2", CultureInfo.InvariantCulture)));
    }

    /// <summary>How requests are signed and sent. As it is made it is right.</summary>
    public sealed class Options
    {
        /// <summary>Sign with the contract's X-Hash in place of X-Signature, which covers all of a request.</summary>
        public bool UsesHash { get; set; }

        /// <summary>Of sentences: tr or en.</summary>
        public string Language { get; set; } = "";

        public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(30);

        /// <summary>Unix seconds.</summary>
        public Func<long> Clock { get; set; } = () => DateTimeOffset.UtcNow.ToUnixTimeSeconds();
    }

    /// <summary>What the two APIs share.</summary>
    public abstract class Client : IDisposable
    {
        const string Version = "1.0.0";

        readonly string url, secretKey;
        readonly Options options;
        readonly Dictionary<string, string> own;
        readonly HttpClient http;

        private protected Client(string baseUrl, string secretKey, string callerHeader, string caller, Options options)
        {
            // as a variable that nobody has set
            foreach (var setting in new[] { ("baseUrl", baseUrl), ("secretKey", secretKey), (callerHeader, caller) })
                if (string.IsNullOrEmpty(setting.Item2)) throw new ArgumentException(setting.Item1 + " is missing");
            url = baseUrl.TrimEnd('/');
            this.secretKey = secretKey;
            this.options = options ?? new Options();
            own = new Dictionary<string, string> { { callerHeader, caller } };
            // a signature is for one address
            http = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false }) { Timeout = this.options.Timeout };
        }

        public void Dispose() => http.Dispose();

        /// <param name="idempotencyKey">null: the call creates nothing; empty: one is made</param>
        private protected async Task<Answer> Call(
            string method, string target, Fields fields = null, string keyHeader = "", string key = "", string idempotencyKey = null,
            CancellationToken cancel = default(CancellationToken))
        {
            var body = fields == null ? new byte[0] : Encoding.UTF8.GetBytes(Json.Write(fields));
            var headers = new Dictionary<string, string>(own);
            if (key != "") headers[keyHeader] = key;
            if (idempotencyKey == "") idempotencyKey = Random();
            if (idempotencyKey != null) headers["Idempotency-Key"] = idempotencyKey;
            headers["X-Timestamp"] = options.Clock().ToString(CultureInfo.InvariantCulture);
            if (options.UsesHash)
            {
                headers["X-Hash"] = Sign.Hash(own.Values.Single(), secretKey, key, headers["X-Timestamp"]);
            }
            else
            {
                headers["X-Nonce"] = Random();
                headers["X-Signature"] = Sign.V2(secretKey, method, target, headers, body);
            }
            headers["User-Agent"] = "vezne-csharp/" + Version;
            if (options.Language != "") headers["Accept-Language"] = options.Language;
            using (var request = new HttpRequestMessage(new HttpMethod(method), url + target))
            {
                foreach (var header in headers) request.Headers.TryAddWithoutValidation(header.Key, header.Value);
                if (method == "POST")
                {
                    request.Content = new ByteArrayContent(body);
                    request.Content.Headers.TryAddWithoutValidation("Content-Type", "application/json");
                }
                try
                {
                    using (var got = await http.SendAsync(request, cancel).ConfigureAwait(false))
                        return Read(got, await got.Content.ReadAsByteArrayAsync().ConfigureAwait(false), idempotencyKey ?? "");
                }
                catch (Exception e) when (!(e is VezneException)) // whatever it was: the request may have arrived
                {
                    throw new VezneException("no answer: " + e.GetBaseException().Message, e) { IdempotencyKey = idempotencyKey ?? "" };
                }
            }
        }

        private protected Task<Answer> Get(string path, Fields query, CancellationToken cancel)
        {
            var pairs = (query ?? new Fields()).Select(f => Uri.EscapeDataString(f.Key) + "=" + Uri.EscapeDataString(query.Text(f.Key)));
            var text = string.Join("&", pairs);
            return Call("GET", path + (text == "" ? "" : "?" + text), cancel: cancel);
        }

        static Answer Read(HttpResponseMessage got, byte[] raw, string idempotencyKey)
        {
            var fields = Json.Read(raw);
            int status = (int)got.StatusCode;
            if (status >= 200 && status < 300)
                return new Answer
                {
                    Fields = fields, Raw = raw, Status = status, RequestId = Header(got, "X-Request-Id"), IdempotencyKey = idempotencyKey,
                    IsReplayed = Header(got, "Idempotent-Replayed") == "true",
                };
            var said = fields.Text("message");
            if (said == "") said = string.Join("; ", fields.List("messages").OfType<string>());
            if (said == "") said = "HTTP " + status.ToString(CultureInfo.InvariantCulture);
            var wait = Header(got, "Retry-After");
            throw new VezneException(said)
            {
                Status = status, Error = fields.Text("error"), Code = fields.Text("error_code"), RequestId = Header(got, "X-Request-Id"), Raw = raw,
                Errors = fields.List("errors").OfType<Fields>().ToList(), IdempotencyKey = idempotencyKey,
                RetryAfter = Regex.IsMatch(wait, "^[0-9]{1,9}\\z") ? TimeSpan.FromSeconds(int.Parse(wait, CultureInfo.InvariantCulture)) : (TimeSpan?)null,
            };
        }

        static string Header(HttpResponseMessage got, string name) =>
            got.Headers.TryGetValues(name, out var values) ? values.FirstOrDefault() ?? "" : "";

        static string Random()
        {
            var raw = new byte[16];
            using (var random = RandomNumberGenerator.Create())
                random.GetBytes(raw);
            return BitConverter.ToString(raw).Replace("-", "").ToLowerInvariant();
        }
    }

    /// <summary>The provider's API. The credential key says which site a payment is for.</summary>
    public sealed class Provider : Client
    {
        readonly string credentialKey, verificationKey;

        public Provider(
            string baseUrl, string apiKey, string secretKey, string credentialKey = "", string verificationKey = "", Options options = null)
            : base(baseUrl, secretKey, "X-Api-Key", apiKey, options)
        {
            this.credentialKey = credentialKey;
            this.verificationKey = verificationKey;
        }

        Task<Answer> Create(string path, Fields fields, string key, CancellationToken cancel) =>
            Call("POST", "/api/provider/" + path, fields, "X-Credential-Key", credentialKey, key ?? "", cancel);

        Task<Answer> Ask(string path, Fields fields, CancellationToken cancel) => Call("POST", "/api/provider/" + path, fields, cancel: cancel);

        public Task<Answer> Welcome(CancellationToken cancel = default(CancellationToken)) => Ask("welcome", null, cancel);

        public Task<Answer> Sites(CancellationToken cancel = default(CancellationToken)) =>
            Call("POST", "/api/provider/sites", null, "X-Key", verificationKey, null, cancel);

        public Task<Answer> StartManualDeposit(Fields fields, string idempotencyKey = "", CancellationToken cancel = default(CancellationToken)) =>
            Create("start-manual-deposit", fields, idempotencyKey, cancel);

        public Task<Answer> StartManualWithdraw(Fields fields, string idempotencyKey = "", CancellationToken cancel = default(CancellationToken)) =>
            Create("start-manual-withdraw", fields, idempotencyKey, cancel);

        public Task<Answer> StartEibanDeposit(Fields fields, string idempotencyKey = "", CancellationToken cancel = default(CancellationToken)) =>
            Create("start-eiban-deposit", fields, idempotencyKey, cancel);

        public Task<Answer> StartEibanWithdraw(Fields fields, string idempotencyKey = "", CancellationToken cancel = default(CancellationToken)) =>
            Create("start-eiban-withdraw", fields, idempotencyKey, cancel);

        public Task<Answer> CreditCardPayment(Fields fields, string idempotencyKey = "", CancellationToken cancel = default(CancellationToken))
        {
            var body = new Fields { { "credential_key", credentialKey } };
            foreach (var field in fields) body[field.Key] = field.Value;
            return Call("POST", "/api/provider/credit-card/payment", body, "", "", idempotencyKey ?? "", cancel);
        }

        public Task<Answer> CreditCardStatus(Fields fields, CancellationToken cancel = default(CancellationToken)) =>
            Ask("credit-card/status", fields, cancel);

        public Task<Answer> BankStartDeposit(Fields fields, string idempotencyKey = "", CancellationToken cancel = default(CancellationToken)) =>
            Create("third-party/bank/start-deposit", fields, idempotencyKey, cancel);

        public Task<Answer> BankGateways(CancellationToken cancel = default(CancellationToken)) =>
            Get("/api/provider/third-party/bank/gateways", null, cancel);

        public Task<Answer> BankStartWithdrawal(Fields fields, string idempotencyKey = "", CancellationToken cancel = default(CancellationToken)) =>
            Create("third-party/bank/start-withdrawal", fields, idempotencyKey, cancel);

        public Task<Answer> CryptoStartDeposit(Fields fields, string idempotencyKey = "", CancellationToken cancel = default(CancellationToken)) =>
            Create("third-party/crypto/start-deposit", fields, idempotencyKey, cancel);

        public Task<Answer> CryptoGateways(CancellationToken cancel = default(CancellationToken)) =>
            Get("/api/provider/third-party/crypto/gateways", null, cancel);

        public Task<Answer> CryptoStartWithdrawal(Fields fields, string idempotencyKey = "", CancellationToken cancel = default(CancellationToken)) =>
            Create("third-party/crypto/start-withdrawal", fields, idempotencyKey, cancel);

        public Task<Answer> WalletStartDeposit(Fields fields, string idempotencyKey = "", CancellationToken cancel = default(CancellationToken)) =>
            Create("third-party/wallet/start-deposit", fields, idempotencyKey, cancel);

        public Task<Answer> WalletGateways(CancellationToken cancel = default(CancellationToken)) =>
            Get("/api/provider/third-party/wallet/gateways", null, cancel);

        public Task<Answer> WalletStartWithdrawal(Fields fields, string idempotencyKey = "", CancellationToken cancel = default(CancellationToken)) =>
            Create("third-party/wallet/start-withdrawal", fields, idempotencyKey, cancel);

        /// <param name="fields">a tracking_code or a reference</param>
        public Task<Answer> TransactionStatus(Fields fields, CancellationToken cancel = default(CancellationToken)) =>
            Ask("transaction-status", fields, cancel);

        /// <summary>
        /// Moves the clock of a payment that was created with the field test; test installations alone have the call.
        /// </summary>
        /// <param name="fields">a tracking_code or a reference, and seconds</param>
        public Task<Answer> TestClock(Fields fields, CancellationToken cancel = default(CancellationToken)) =>
            Ask("test-clock", fields, cancel);
    }

    /// <summary>The dealer's API. With a site token in place of the API key it is that of one of the dealer's websites.</summary>
    public sealed class Dealer : Client
    {
        public Dealer(string baseUrl, string secretKey, string apiKey = "", string siteToken = "", Options options = null)
            : base(baseUrl, secretKey, apiKey != "" ? "X-Api-Key" : "X-Site-Token", apiKey != "" ? apiKey : siteToken, options) { }

        Task<Answer> Create(string path, Fields fields, string key, CancellationToken cancel) =>
            Call("POST", "/api/dealer/" + path, fields, "", "", key ?? "", cancel);

        public Task<Answer> Settings(CancellationToken cancel = default(CancellationToken)) => Get("/api/dealer/settings", null, cancel);

        public Task<Answer> ManualIbanDeposit(Fields fields, string idempotencyKey = "", CancellationToken cancel = default(CancellationToken)) =>
            Create("manual-iban/deposit", fields, idempotencyKey, cancel);

        public Task<Answer> ManualIbanWithdraw(Fields fields, string idempotencyKey = "", CancellationToken cancel = default(CancellationToken)) =>
            Create("manual-iban/withdraw", fields, idempotencyKey, cancel);

        public Task<Answer> Eibans(CancellationToken cancel = default(CancellationToken)) => Get("/api/dealer/eibans", null, cancel);

        /// <param name="fields">wallet_id, start_date, end_date, and page where it is not the first</param>
        public Task<Answer> Transactions(Fields fields, CancellationToken cancel = default(CancellationToken)) =>
            Get("/api/dealer/transactions", fields, cancel);

        public Task<Answer> SendMoney(Fields fields, string idempotencyKey = "", CancellationToken cancel = default(CancellationToken)) =>
            Create("send-money", fields, idempotencyKey, cancel);

        /// <param name="fields">a transfer_id</param>
        public Task<Answer> TransferStatus(Fields fields, CancellationToken cancel = default(CancellationToken)) =>
            Get("/api/dealer/transfer-status", fields, cancel);

        public Task<Answer> CreditCardPayment(Fields fields, string idempotencyKey = "", CancellationToken cancel = default(CancellationToken)) =>
            Create("credit-card/payment", fields, idempotencyKey, cancel);

        /// <param name="fields">a tracking_code or a reference</param>
        public Task<Answer> TransactionStatus(Fields fields, CancellationToken cancel = default(CancellationToken)) =>
            Get("/api/dealer/transaction-status", fields, cancel);

        /// <summary>
        /// Moves the clock of a payment that was created with the field test; test installations alone have the call.
        /// </summary>
        /// <param name="fields">a tracking_code or a reference, and seconds</param>
        public Task<Answer> TestClock(Fields fields, CancellationToken cancel = default(CancellationToken)) =>
            Call("POST", "/api/dealer/test-clock", fields, cancel: cancel);
    }

    /// <summary>
    /// What a check of a callback has found. Where it is not ok, Reason is no_signature, stale, future, wrong_secret or body_changed.
    /// </summary>
    public sealed class Verified
    {
        internal Verified(string reason, Fields fields = null)
        {
            Reason = reason;
            Event = fields;
        }

        public bool IsOk => Reason == "";
        public string Reason { get; }
        public Fields Event { get; }
    }

    /// <summary>Checks callbacks.</summary>
    public static class Webhook
    {
        /// <summary>Checks the Standard Webhooks signature of a callback, which covers all of it.</summary>
        /// <param name="headers">as they came; the names have any case</param>
        /// <param name="body">the bytes as they came, before any JSON parser</param>
        /// <param name="secrets">one "whsec_…" or several</param>
        /// <param name="now">Unix seconds; null: the clock's</param>
        public static Verified Verify(
            IEnumerable<KeyValuePair<string, string>> headers, byte[] body, IEnumerable<string> secrets, int tolerance = 300, long? now = null)
        {
            var sent = Sent(headers);
            string id = Value(sent, "webhook-id"), stamp = Value(sent, "webhook-timestamp");
            var signatures = Value(sent, "webhook-signature").Split(' ').Where(s => s.StartsWith("v1,", StringComparison.Ordinal))
                .Select(s => s.Substring(3)).ToList();
            if (id == "" || !IsStamp(stamp) || signatures.Count == 0) return new Verified("no_signature");
            var age = Age(stamp, tolerance, now);
            if (age != "") return new Verified(age);
            var signed = Encoding.UTF8.GetBytes(id + "." + stamp + ".").Concat(body).ToArray();
            foreach (var key in secrets.Select(Key).Where(k => k.Length > 0)) // with an empty one anybody signs
                using (var mac = new HMACSHA256(key))
                {
                    var want = Convert.ToBase64String(mac.ComputeHash(signed));
                    if (signatures.Count(got => IsEqual(want, got)) > 0) return new Verified("", Json.Read(body));
                }
            return new Verified(IsAsSent(body) ? "wrong_secret" : "body_changed");
        }

        /// <summary>
        /// Checks X-Hash, which covers the tracking_code and the status alone: prefer Verify where there is a webhook-signature.
        /// </summary>
        public static Verified VerifyHash(
            IEnumerable<KeyValuePair<string, string>> headers, byte[] body, string apiKey, IEnumerable<string> secrets, int tolerance = 300,
            long? now = null)
        {
            var sent = Sent(headers);
            string stamp = Value(sent, "x-timestamp"), got = Value(sent, "x-hash");
            if (got == "" || !IsStamp(stamp)) return new Verified("no_signature");
            var age = Age(stamp, tolerance, now);
            if (age != "") return new Verified(age);
            var fields = Json.Read(body);
            object code, status;
            if (!fields.TryGetValue("tracking_code", out code) || !(code is string) || !fields.TryGetValue("status", out status) || !(status is string))
                return new Verified("body_changed");
            foreach (var secret in secrets.Where(s => s != ""))
                if (IsEqual(Sign.Hash(apiKey, secret, (string)code + (string)status, stamp), got.ToLowerInvariant())) return new Verified("", fields);
            return new Verified(fields.Text("hash") == got ? "wrong_secret" : "body_changed");
        }

        static Dictionary<string, string> Sent(IEnumerable<KeyValuePair<string, string>> headers)
        {
            var sent = new Dictionary<string, string>();
            foreach (var header in headers) sent[header.Key.ToLowerInvariant()] = header.Value ?? "";
            return sent;
        }

        static string Value(Dictionary<string, string> sent, string name) => sent.TryGetValue(name, out var value) ? value : "";

        static bool IsStamp(string text) => Regex.IsMatch(text, "^[0-9]{1,12}\\z");

        static string Age(string stamp, int tolerance, long? now)
        {
            long age = (now ?? DateTimeOffset.UtcNow.ToUnixTimeSeconds()) - long.Parse(stamp, CultureInfo.InvariantCulture);
            return age > tolerance ? "stale" : -age > tolerance ? "future" : "";
        }

        static byte[] Key(string secret)
        {
            var text = secret.StartsWith("whsec_", StringComparison.Ordinal) ? secret.Substring(6) : secret;
            try { return Convert.FromBase64String(text); }
            catch (FormatException) { return Encoding.UTF8.GetBytes(secret); }
        }

        static bool IsEqual(string a, string b)
        {
            int difference = a.Length ^ b.Length;
            for (int i = 0; i < a.Length && i < b.Length; i++) difference |= a[i] ^ b[i];
            return difference == 0;
        }

        static readonly Regex Quoted = new Regex(@"""[^""\\]*(?:\\(?:[""\\bfnrt]|u(?:00[01][0-9a-f]|2028|2029|fffd))[^""\\]*)*""");

        /// <summary>Whether a body is written as Vezne writes it. If not, something on the way has decoded it and encoded it again.</summary>
        static bool IsAsSent(byte[] body)
        {
            var text = Encoding.GetEncoding(28591).GetString(body);
            return Regex.IsMatch(text, @"^\{""(?:tracking_code|success)"":") && Regex.IsMatch(text, @"""amount"":-?[0-9]+\.[0-9]{2}[,}]")
                && Regex.IsMatch(Quoted.Replace(text, "\"\""), @"^[{}:,""0-9.a-z-]*\z");
        }
    }

    /// <summary>JSON, of which a number with decimals is the text that it is.</summary>
    static class Json
    {
        const int MaxDepth = 64;

        public static string Write(Fields fields)
        {
            var text = new StringBuilder();
            Write(text, fields);
            return text.ToString();
        }

        static void Write(StringBuilder to, object value)
        {
            if (value == null) to.Append("null");
            else if (value is bool) to.Append((bool)value ? "true" : "false");
            else if (value is string) Quote(to, (string)value);
            else if (value is int || value is long || value is short || value is byte || value is uint)
                to.Append(Convert.ToString(value, CultureInfo.InvariantCulture));
            else if (value is double || value is float || value is decimal)
                throw new ArgumentException("an amount is decimal text such as \"250.00\", never a number with decimals");
            else if (value is IDictionary<string, object>)
                Write(to, '{', '}', (IDictionary<string, object>)value, field =>
                {
                    Quote(to, field.Key);
                    to.Append(':');
                    Write(to, field.Value);
                });
            else if (value is IEnumerable) Write(to, '[', ']', ((IEnumerable)value).Cast<object>(), one => Write(to, one));
            else throw new ArgumentException(value.GetType() + " has no place in a request");
        }

        static void Write<T>(StringBuilder to, char open, char close, IEnumerable<T> list, Action<T> write)
        {
            var isFirst = true;
            to.Append(open);
            foreach (var one in list)
            {
                if (!isFirst) to.Append(',');
                isFirst = false;
                write(one);
            }
            to.Append(close);
        }

        static void Quote(StringBuilder to, string text)
        {
            to.Append('"');
            foreach (char c in text)
                if (c == '"' || c == '\\') to.Append('\\').Append(c);
                else if (c < ' ') to.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
                else to.Append(c);
            to.Append('"');
        }

        /// <summary>The fields of a JSON object; none where there is no object.</summary>
        /// <param name="number">what becomes of a number with decimals; null: it is text</param>
        public static Fields Read(byte[] body, Func<string, object> number = null)
        {
            try
            {
                var reader = new Reader { Text = new UTF8Encoding(false, true).GetString(body), Decimal = number ?? (text => text) };
                var value = reader.Value(0);
                reader.Skip();
                return reader.At == reader.Text.Length && value is Fields fields ? fields : new Fields();
            }
            catch (Exception e) when (e is FormatException || e is ArgumentException) // DecoderFallbackException is one
            {
                return new Fields();
            }
        }

        sealed class Reader
        {
            static readonly Regex Number = new Regex(@"\G-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?");

            public string Text;
            public int At;
            public Func<string, object> Decimal;

            public void Skip()
            {
                while (At < Text.Length && " \t\r\n".IndexOf(Text[At]) >= 0) At++;
            }

            bool Takes(char c)
            {
                Skip();
                if (At >= Text.Length || Text[At] != c) return false;
                At++;
                return true;
            }

            void Expect(char c)
            {
                if (!Takes(c)) throw new FormatException();
            }

            object Word(string word, object value)
            {
                if (string.CompareOrdinal(Text, At, word, 0, word.Length) != 0) throw new FormatException();
                At += word.Length;
                return value;
            }

            public object Value(int depth)
            {
                Skip();
                if (At >= Text.Length || depth > MaxDepth) throw new FormatException();
                switch (Text[At])
                {
                    case '{': return Object(depth);
                    case '[': return Array(depth);
                    case '"': return String();
                    case 't': return Word("true", true);
                    case 'f': return Word("false", false);
                    case 'n': return Word("null", null);
                }
                var number = Number.Match(Text, At);
                if (!number.Success) throw new FormatException();
                At += number.Length;
                if (number.Groups[1].Length + number.Groups[2].Length > 0) return Decimal(number.Value);
                return long.TryParse(number.Value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long n) ? (object)n : number.Value;
            }

            Fields Object(int depth)
            {
                var fields = new Fields();
                Expect('{');
                if (Takes('}')) return fields;
                do
                {
                    Skip();
                    var name = String();
                    Expect(':');
                    fields[name] = Value(depth + 1);
                } while (Takes(','));
                Expect('}');
                return fields;
            }

            List<object> Array(int depth)
            {
                var list = new List<object>();
                Expect('[');
                if (Takes(']')) return list;
                do list.Add(Value(depth + 1));
                while (Takes(','));
                Expect(']');
                return list;
            }

            string String()
            {
                Expect('"');
                var text = new StringBuilder();
                while (At < Text.Length && Text[At] >= ' ')
                {
                    char c = Text[At++];
                    if (c == '"') return text.ToString();
                    text.Append(c == '\\' ? Escaped() : c);
                }
                throw new FormatException();
            }

            char Escaped()
            {
                if (At >= Text.Length) throw new FormatException();
                char c = Text[At++];
                int plain = "\"\\/bfnrt".IndexOf(c);
                if (plain >= 0) return "\"\\/\b\f\n\r\t"[plain];
                if (c != 'u' || At + 4 > Text.Length) throw new FormatException();
                At += 4;
                return (char)ushort.Parse(Text.Substring(At - 4, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
            }
        }
    }
}
