// Writes everything that is generated from npm packages and from src; `make console` runs it.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';
import { operations } from './operations.mjs';
import { copyThirdParty } from './thirdparty.mjs';

const folder = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(folder);

await operations({ schemaFolder: join(root, 'graph/schema'), sourceFolder: join(folder, 'src') });
copyThirdParty(root);
await bundle(folder);
