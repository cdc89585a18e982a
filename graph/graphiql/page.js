'use strict';

const welcome = `# Sign in: put your email and password here,
# run it (Ctrl+Enter), and put the token behind
# "Bearer " under Headers, below. Who has a second
# factor answers the challenge by loginWithCode.
# All of it is forgotten when this page is left.
mutation SignIn {
  login(input: {email: "", password: ""}) {
    token
    secondFactor { challenge kinds }
  }
}

query Newest {
  transactions(first: 10) {
    nodes {
      trackingCode method status amount createdAt
    }
    pageInfo { hasNextPage endCursor }
  }
}
`;

// What is written here may be a password or a token: the browser keeps nothing of it.
const forgetful = () => {
  const kept = new Map();
  return {
    get length() { return kept.size; },
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
    clear: () => kept.clear(),
  };
};

const fetcher = async (operation, options) => {
  const answer = await fetch('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...(options && options.headers) },
    body: JSON.stringify(operation),
    credentials: 'same-origin',
  });
  return answer.json();
};

ReactDOM.createRoot(document.getElementById('graphiql')).render(React.createElement(GraphiQL, {
  fetcher,
  defaultQuery: welcome,
  defaultHeaders: '{\n  "Authorization": "Bearer "\n}',
  defaultEditorToolsVisibility: 'headers',
  shouldPersistHeaders: false,
  storage: forgetful(),
}));
