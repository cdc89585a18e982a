// Copies what other pages, and the browser tests, take from npm packages as they were published.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';

const GRAPHIQL = 'graph/graphiql/assets';
const REDOC = 'adapters/rest/apidoc/assets';
const AXE = 'console/axe';

// The fonts of GraphiQL's style sheet are seven eighths of it; the page takes those of the system.
const withoutFonts = (css) => css.replace(/@font-face\s*\{[^}]*\}\s*/g, '').replace(/\s*\/\*# sourceMappingURL=.*\*\//, '');

const copies = [
  ['redoc', 'bundles/redoc.standalone.js', `${REDOC}/redoc.standalone.js`],
  ['redoc', 'bundles/redoc.standalone.js.LICENSE.txt', `${REDOC}/redoc.standalone.js.LICENSE.txt`],
  ['redoc', 'LICENSE', `${REDOC}/LICENSE`],
  ['graphiql', 'graphiql.min.js', `${GRAPHIQL}/graphiql.min.js`],
  ['graphiql', 'graphiql.min.css', `${GRAPHIQL}/graphiql.min.css`, withoutFonts],
  ['graphiql', 'LICENSE', `${GRAPHIQL}/LICENSE.graphiql`],
  ['react', 'umd/react.production.min.js', `${GRAPHIQL}/react.production.min.js`],
  ['react-dom', 'umd/react-dom.production.min.js', `${GRAPHIQL}/react-dom.production.min.js`],
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

export function copyThirdParty(root) {
  const from = join(root, 'console/thirdparty/package.json');
  for (const [name, source, target, change = (text) => text] of copies) {
    writeFileSync(join(root, target), change(readFileSync(join(folderOf(name, from), source), 'utf8')));
  }
}
