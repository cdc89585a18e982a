// Copies what other pages, and the browser tests, take from npm packages as they were published. What the program serves is compressed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

const GRAPHIQL = 'graph/graphiql/assets';
const REDOC = 'adapters/rest/apidoc/assets';
const AXE = 'console/axe';

// The fonts of GraphiQL's style sheet are seven eighths of it; the page takes those of the system.
const withoutFonts = (css) => css.replace(/@font-face\s*\{[^}]*\}\s*/g, '').replace(/\s*\/\*# sourceMappingURL=.*\*\//, '');

const copies = [
  ['redoc', 'bundles/redoc.standalone.js', `${REDOC}/redoc.standalone.js.gz`],
  ['redoc', 'bundles/redoc.standalone.js.LICENSE.txt', `${REDOC}/redoc.standalone.js.LICENSE.txt`],
  ['redoc', 'LICENSE', `${REDOC}/LICENSE`],
  ['graphiql', 'graphiql.min.js', `${GRAPHIQL}/graphiql.min.js.gz`],
  ['graphiql', 'graphiql.min.css', `${GRAPHIQL}/graphiql.min.css.gz`, withoutFonts],
  ['graphiql', 'LICENSE', `${GRAPHIQL}/LICENSE.graphiql`],
  ['react', 'umd/react.production.min.js', `${GRAPHIQL}/react.production.min.js.gz`],
  ['react-dom', 'umd/react-dom.production.min.js', `${GRAPHIQL}/react-dom.production.min.js.gz`],
  ['react', 'LICENSE', `${GRAPHIQL}/LICENSE.react`],
  ['axe-core', 'axe.min.js', `${AXE}/axe.min.js`],
  ['axe-core', 'LICENSE', `${AXE}/LICENSE`],
  ['axe-core', 'LICENSE-3RD-PARTY.txt', `${AXE}/LICENSE-3RD-PARTY.txt`],
];

// folderOf is where npm has put a package for those of another folder.
function folderOf(name, from) {
  const main = createRequire(from).resolve(name);
  const inside = `node_modules${sep}${name.replaceAll('/', sep)}`;
  return main.slice(0, main.lastIndexOf(inside) + inside.length);
}

// keep writes a file. One that is compressed stays as it is while it holds the same: other versions of zlib make other bytes of it.
function keep(target, text) {
  if (!target.endsWith('.gz')) {
    writeFileSync(target, text);
  } else if (!existsSync(target) || gunzipSync(readFileSync(target)).toString('utf8') !== text) {
    writeFileSync(target, gzipSync(text, { level: 9 }));
  }
}

export function copyThirdParty(root) {
  const from = join(root, 'console/thirdparty/package.json');
  for (const [name, source, target, change = (text) => text] of copies) {
    keep(join(root, target), change(readFileSync(join(folderOf(name, from), source), 'utf8')));
  }
}
