// Turns the operations of src/**/*.graphql into typed documents. Each is checked against the schema: one that asks for a field
// that is not there fails the build.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import { parse, specifiedRules, validate, buildASTSchema } from 'graphql';

const scalars = { Date: 'string', DateTime: 'string', Decimal: 'string' };

// files are those below a folder whose names end in a suffix, in an order that no file system decides.
export const files = (folder, suffix) => readdirSync(folder, { recursive: true })
  .map(String).filter((name) => name.endsWith(suffix)).sort().map((name) => join(folder, name));

const read = (location) => ({ location, document: parse(readFileSync(location, 'utf8')) });

export async function operations({ schemaFolder, sourceFolder }) {
  const schema = parse(files(schemaFolder, '.graphqls').map((name) => readFileSync(name, 'utf8')).join('\n'));
  const documents = files(sourceFolder, '.graphql').map(read);
  const all = { kind: 'Document', definitions: documents.flatMap((d) => d.document.definitions) };
  const errors = validate(buildASTSchema(schema), all, specifiedRules);
  if (errors.length > 0) throw new Error(errors.map(String).join('\n\n'));
  const text = await codegen({
    filename: 'operations.generated.ts',
    schema,
    documents,
    config: {
      scalars,
      documentMode: 'string',
      useTypeImports: true,
      strictScalars: true,
      defaultScalarType: 'unknown',
      enumsAsTypes: true,
      enumType: 'string-literal',
      avoidOptionals: false,
      skipTypename: true,
      disableDescriptions: true,
    },
    plugins: [{ typescriptOperations: {} }, { typedDocumentNode: {} }],
    pluginMap: { typescriptOperations, typedDocumentNode },
  });
  return '// Code generated from graph/schema and the .graphql files of this folder by `make console`. DO NOT EDIT.\n' + text;
}
