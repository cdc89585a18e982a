// Turns each .graphql file of src into a file of typed documents beside it. Every operation is checked against the schema: one
// that asks for a field that is not there fails the build.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import { buildASTSchema, getNamedType, isInputObjectType, parse, print, specifiedRules, typeFromAST, validate } from 'graphql';

const scalars = { Date: 'string', DateTime: 'string', Decimal: 'string', ID: 'string' };

// files are those below a folder whose names end in a suffix, in an order that no file system decides.
export const files = (folder, suffix) => readdirSync(folder, { recursive: true })
  .map(String).filter((name) => name.endsWith(suffix)).sort().map((name) => join(folder, name));

// takesKey reports whether an operation's variable `input` has an idempotency key, or decisions, which have one each.
const takesKey = (schema, { variableDefinitions }) => variableDefinitions.some(({ variable, type }) => {
  const named = getNamedType(typeFromAST(schema, type));
  return variable.name.value === 'input' && isInputObjectType(named)
    && ['idempotencyKey', 'decisions'].some((name) => name in named.getFields());
});

// documents are the constants that screens ask with. A fragment belongs to the operations of its own file.
function documents(schema, { definitions }) {
  const fragments = definitions.filter((d) => d.kind === 'FragmentDefinition').map(print);
  return definitions.filter((d) => d.kind === 'OperationDefinition').map((operation) => {
    const { name: { value: name }, operation: kind } = operation;
    const type = name + kind[0].toUpperCase() + kind.slice(1);
    const text = [print(operation), ...fragments.filter((f) => print(operation).includes('...'))].join('\n').replace(/\s+/g, ' ');
    return `export const ${name}Document = /* @__PURE__ */ operation<${type}, ${type}Variables>(\n  ${JSON.stringify(text)}`
      + `${takesKey(schema, operation) ? ', true' : ''});\n`;
  });
}

export async function operations({ schemaFolder, sourceFolder }) {
  const definitions = parse(files(schemaFolder, '.graphqls').map((name) => readFileSync(name, 'utf8')).join('\n'));
  const schema = buildASTSchema(definitions);
  files(sourceFolder, '.generated.ts').forEach((name) => rmSync(name));
  for (const location of files(sourceFolder, '.graphql')) {
    const document = parse(readFileSync(location, 'utf8'));
    const errors = validate(schema, document, specifiedRules);
    if (errors.length > 0) throw new Error(errors.map((e) => `${location}: ${e}`).join('\n\n'));
    const types = await codegen({
      filename: location,
      schema: definitions,
      documents: [{ location, document }],
      config: {
        scalars, useTypeImports: true, strictScalars: true, defaultScalarType: 'unknown', enumsAsTypes: true,
        enumType: 'string-literal', avoidOptionals: false, skipTypename: true, disableDescriptions: true,
      },
      plugins: [{ typescriptOperations: {} }],
      pluginMap: { typescriptOperations },
    });
    const from = relative(dirname(location), join(sourceFolder, 'api/operation')).replace(/^(?!\.)/, './');
    writeFileSync(location.replace(/graphql$/, 'generated.ts'), [
      '// Code generated from graph/schema and the .graphql file beside this one by `make console`. DO NOT EDIT.',
      `import { operation } from '${from}';`, types.trim(), '', ...documents(schema, document),
    ].join('\n'));
  }
}
