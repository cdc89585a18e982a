var e="vezne.graphiql";function t(n,o){sessionStorage.setItem(e,JSON.stringify({query:n.text,variables:o})),open("/graphiql"),sessionStorage.removeItem(e)}export{t as a};
