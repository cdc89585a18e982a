// Bundles the app into dist: plain names, and nothing in it that a second build would write otherwise.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

// React Aria brings its words in thirty languages; the console speaks two.
const ourLanguages = {
  name: 'our-languages',
  setup(build) {
    build.onLoad({ filter: /react-(aria|stately)[\w-]*\/dist\/.*\/intl\/([\w-]+\/)?[a-z]{2}-[A-Z]{2}\.mjs$/ }, ({ path }) => (
      /(tr-TR|en-US)\.mjs$/.test(path) ? undefined : { contents: 'export default {};' }));
  },
};

const settings = {
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  minify: true,
  jsx: 'automatic',
  metafile: true,
  write: false,
  legalComments: 'none', // LICENSES.txt has them whole
  define: { 'process.env.NODE_ENV': '"production"' },
  chunkNames: 'chunk-[hash]',
  plugins: [ourLanguages],
};

// plainNames replaces the hashes in the names of chunks by what they begin with, or by a number.
function plainNames(outputs) {
  const names = new Map();
  const taken = new Set();
  for (const { path, entry } of outputs) {
    const name = basename(path);
    if (!/^chunk-[A-Z0-9]{8}\.(js|css)$/.test(name)) continue;
    const [stem, ending] = [entry ? basename(entry).replace(/\.\w+$/, '') : 'shared', name.split('.').pop()];
    let plain = `${stem}.${ending}`;
    for (let i = 2; taken.has(plain); i += 1) plain = `${stem}-${i}.${ending}`;
    taken.add(plain);
    names.set(name, plain);
  }
  return names;
}

// preloads have the browser fetch what the entry imports together with the entry, instead of after it.
function preloads(outputs, names) {
  const app = Object.values(outputs).find((o) => o.entryPoint === 'src/main.tsx');
  return app.imports.filter((i) => i.kind === 'import-statement').map((i) => names.get(basename(i.path)))
    .map((name) => `<link rel="modulepreload" href="/console/${name}">`).sort().join('\n');
}

// licences are the texts of the packages that are in the bundle.
function licences(root, inputs) {
  const folders = new Set();
  for (const input of inputs) {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) folders.add(found[1]);
  }
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const file = readdirSync(join(root, folder)).sort().find((f) => /^licen[cs]e/i.test(f));
    const text = file ? readFileSync(join(root, folder, file), 'utf8').trim() : `Licence: ${license}`;
    return `${name} ${version}\n\n${text}\n`;
  });
  return `What the console is built with, and its licences.\n\n${texts.join('\n---\n\n')}`;
}

export async function bundle(folder) {
  const dist = join(folder, 'dist');
  const result = await build({
    ...settings, absWorkingDir: folder, entryPoints: { app: 'src/main.tsx' }, outdir: dist,
  });
  const outputs = Object.entries(result.metafile.outputs).map(([path, o]) => ({ path, entry: o.entryPoint }))
    .sort((a, b) => (a.entry ?? '').localeCompare(b.entry ?? '') || a.path.localeCompare(b.path));
  const names = plainNames(outputs);
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  for (const { path, text } of result.outputFiles) {
    let plain = text;
    for (const [hashed, name] of names) plain = plain.replaceAll(hashed, name);
    writeFileSync(join(dist, names.get(basename(path)) ?? basename(path)), plain);
  }
  writeFileSync(join(dist, 'icon.svg'), readFileSync(join(folder, 'src/icon.svg')));
  const page = readFileSync(join(folder, 'src/index.html'), 'utf8');
  writeFileSync(join(dist, 'index.html'), page.replace('<!-- what app.js imports -->', preloads(result.metafile.outputs, names)));
  writeFileSync(join(dist, 'LICENSES.txt'), licences(folder, Object.keys(result.metafile.inputs)));
}
