using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Vezne;

/// <summary>One order, whose id is its payment's reference. Amounts are decimal text.</summary>
sealed class Order
{
    public string Id, Amount, Key, TrackingCode = "", Status = "new", Credited = "0.00";
    public long Sequence; // of the last callback
    public List<string> Callbacks = new List<string>(); // what was handled, in order: id, sequence, status and amount

    public override string ToString() =>
        string.Join("\t", new[] { Id, Amount, Key, TrackingCode, Status, Credited, Sequence.ToString() }.Concat(Callbacks));

    public static Order Parse(string line)
    {
        var f = line.Split('\t');
        return new Order
        {
            Id = f[0], Amount = f[1], Key = f[2], TrackingCode = f[3], Status = f[4], Credited = f[5], Sequence = long.Parse(f[6]),
            Callbacks = f.Skip(7).ToList(),
        };
    }

    // The amount is what has been paid, which may be another than was asked for. It is set, never added: whatever comes twice counts once.
    public void Settle(Fields of)
    {
        Status = of.Text("status");
        Credited = Status == "completed" ? of.Text("amount") : "0.00";
    }
}

/// <summary>What the shop keeps. A file stands for your database here, and Change for one transaction in it.</summary>
sealed class Orders
{
    readonly string file;
    readonly object gate = new object();

    public Orders(string file)
    {
        this.file = file;
    }

    Dictionary<string, Order> Load() =>
        File.Exists(file) ? File.ReadAllLines(file).Select(Order.Parse).ToDictionary(o => o.Id) : new Dictionary<string, Order>();

    void Change(Action<Dictionary<string, Order>> how)
    {
        lock (gate)
        {
            var orders = Load();
            how(orders);
            File.WriteAllLines(file + ".new", orders.Values.Select(o => o.ToString()));
            if (File.Exists(file)) File.Replace(file + ".new", file, null);
            else File.Move(file + ".new", file);
        }
    }

    /// <summary>Returns an order, or null.</summary>
    public Order Find(string id)
    {
        lock (gate)
        {
            Order order;
            Load().TryGetValue(id, out order);
            return order;
        }
    }

    /// <summary>Keeps an order, with the idempotency key of its payment, before Vezne is called.</summary>
    public void Add(Order order) => Change(orders => orders.Add(order.Id, order));

    /// <summary>Keeps what Vezne answered.</summary>
    public void Begun(string id, Fields data) => Change(orders =>
    {
        orders[id].TrackingCode = data.Text("tracking_code");
        if (orders[id].Status == "new") orders[id].Status = "open"; // the callback may have come before this answer
    });

    /// <summary>Takes a callback whose signature is right. Its id is that of webhook-id, which the signature covers.</summary>
    public void Take(string callbackId, Fields callback) => Change(orders =>
    {
        Order order;
        if (!orders.TryGetValue(callback.Text("reference"), out order)) return; // a test callback, or no order of this shop
        if (order.TrackingCode != "" && order.TrackingCode != callback.Text("tracking_code")) return; // another payment
        var sequence = Convert.ToInt64(callback["sequence"]);
        if (sequence <= order.Sequence) return; // handled already, or a later one was
        order.Settle(callback);
        order.TrackingCode = callback.Text("tracking_code");
        order.Sequence = sequence;
        order.Callbacks.Add(callbackId + " " + sequence + " " + callback.Text("status") + " " + callback.Text("amount"));
    });

    /// <summary>Takes the answer of transaction-status, as long as no callback has come: a callback knows better.</summary>
    public void Learn(string id, Fields data) => Change(orders =>
    {
        if (true.Equals(data["is_final"]) && orders[id].Sequence == 0) orders[id].Settle(data);
    });
}
