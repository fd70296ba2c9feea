import { readAllOperations } from '../../../src/admin/all-operations.ts'
import type { AdminDeps } from '../../../src/admin/api/deps.ts'

/** The text of `admin/serve/operation-names.ts`, as the operations have it. */
export async function describeOperationNames(): Promise<string> {
  const operations = [...(await readAllOperations({} as AdminDeps))] // none of them is called
  const limited = operations.filter(([, { bodyLimitBytes }]) => bodyLimitBytes !== undefined)
  return [
    '// Written by `npm run openapi`: the routes of /api/admin, known without their operations.',
    '',
    'export const OPERATION_NAMES: readonly string[] = [',
    ...operations.map(([name]) => `  '${name}',`),
    ']',
    '',
    '/** The longest bodies, in bytes, where they are longer than others may be. */',
    'export const BODY_LIMITS: Readonly<Record<string, number>> = {',
    ...limited.map(([name, { bodyLimitBytes }]) => `  '${name}': ${bodyLimitBytes},`),
    '}',
    '',
  ].join('\n')
}
