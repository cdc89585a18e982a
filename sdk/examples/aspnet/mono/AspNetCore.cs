// What stands for ASP.NET Core where there is only Mono: the few types and methods of it that Program.cs calls, under their names, over
// HttpListener. The tests compile the shop with this file. It belongs to no project that has Microsoft's .NET.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;

namespace Microsoft.AspNetCore.Http
{
    public delegate Task RequestDelegate(HttpContext context);

    public sealed class HttpContext
    {
        internal HttpContext(HttpListenerContext of, IDictionary<string, object> route)
        {
            Request = new HttpRequest(of.Request, route);
            Response = new HttpResponse(of.Response);
        }

        public HttpRequest Request { get; }
        public HttpResponse Response { get; }
    }

    public sealed class HttpRequest
    {
        readonly HttpListenerRequest of;

        internal HttpRequest(HttpListenerRequest of, IDictionary<string, object> route)
        {
            this.of = of;
            RouteValues = route;
            foreach (var name in of.Headers.AllKeys) Headers[name] = of.Headers[name];
        }

        public Stream Body => of.InputStream;
        public IDictionary<string, object> RouteValues { get; }
        public IDictionary<string, string> Headers { get; } = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);

        public async Task<FormCollection> ReadFormAsync() => new FormCollection(await new StreamReader(Body, Encoding.UTF8).ReadToEndAsync());
    }

    public sealed class FormCollection
    {
        readonly Dictionary<string, string> fields = new Dictionary<string, string>();

        internal FormCollection(string text)
        {
            foreach (var pair in text.Split('&').Select(p => p.Split(new[] { '=' }, 2)).Where(p => p.Length == 2))
                fields[WebUtility.UrlDecode(pair[0])] = WebUtility.UrlDecode(pair[1]);
        }

        public string this[string name] => fields.TryGetValue(name, out var value) ? value : "";
    }

    public sealed class HttpResponse
    {
        readonly HttpListenerResponse of;

        internal HttpResponse(HttpListenerResponse of)
        {
            this.of = of;
            Headers = new ResponseHeaders(of);
        }

        public int StatusCode { get => of.StatusCode; set => of.StatusCode = value; }
        public string ContentType { get => of.ContentType; set => of.ContentType = value; }
        public ResponseHeaders Headers { get; }

        public Task WriteAsync(string text)
        {
            var bytes = Encoding.UTF8.GetBytes(text);
            of.ContentLength64 = bytes.Length;
            return of.OutputStream.WriteAsync(bytes, 0, bytes.Length);
        }
    }

    public sealed class ResponseHeaders
    {
        readonly HttpListenerResponse of;

        internal ResponseHeaders(HttpListenerResponse of)
        {
            this.of = of;
        }

        public string this[string name] { set => of.AddHeader(name, value); }
    }
}

namespace Microsoft.AspNetCore.Builder
{
    public sealed class WebApplicationBuilder
    {
        public WebApplication Build() => new WebApplication();
    }

    public sealed class WebApplication
    {
        sealed class Route
        {
            public string Method;
            public Regex Path;
            public RequestDelegate Handler;
        }

        readonly List<Route> routes = new List<Route>();

        public static WebApplicationBuilder CreateBuilder(string[] args) => new WebApplicationBuilder();

        public void MapGet(string pattern, RequestDelegate handler) => Map("GET", pattern, handler);

        public void MapPost(string pattern, RequestDelegate handler) => Map("POST", pattern, handler);

        void Map(string method, string pattern, RequestDelegate handler) =>
            routes.Add(new Route { Method = method, Path = new Regex(@"\A" + Regex.Replace(pattern, @"\{(\w+)\}", "(?<$1>[^/]+)") + @"\z"), Handler = handler });

        public void Run(string url)
        {
            var listener = new HttpListener();
            listener.Prefixes.Add(url + "/");
            listener.Start();
            while (true)
            {
                var context = listener.GetContext();
                Task.Run(() => Answer(context));
            }
        }

        async Task Answer(HttpListenerContext context)
        {
            try
            {
                var path = context.Request.Url.AbsolutePath;
                var route = routes.FirstOrDefault(r => r.Method == context.Request.HttpMethod && r.Path.IsMatch(path));
                if (route == null)
                    context.Response.StatusCode = 404;
                else
                {
                    var found = route.Path.Match(path);
                    var values = route.Path.GetGroupNames().ToDictionary(name => name, name => (object)found.Groups[name].Value);
                    await route.Handler(new HttpContext(context, values));
                }
            }
            catch (Exception e)
            {
                Console.Error.WriteLine(e);
                context.Response.StatusCode = 500;
            }
            context.Response.Close();
        }
    }
}
