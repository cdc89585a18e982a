export default function Page() {
  return <form method="post" action="/orders"><input name="amount" defaultValue="250.00" /><button>Pay</button></form>;
}
