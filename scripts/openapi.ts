// `npm run openapi`: writes docs/openapi.json, the API description, from the schemas of the routes; before it the names of the admin API's
// operations, of which the service makes routes; and docs/settings.schema.json, the form of a file of settings.
import { writeFileSync } from 'node:fs'
import { writeSettingsSchema } from '../server/src/admin/index.ts'
import { describeOperationNames } from '../server/test/support/routes/operation-names.ts'

const from = (path: string) => new URL(path, import.meta.url)

writeFileSync(from('../server/src/admin/serve/operation-names.ts'), await describeOperationNames())
const { describeApi } = await import('../server/test/support/routes/describe-api.ts') // reads those names
writeFileSync(from('../docs/openapi.json'), await describeApi())
writeFileSync(from('../docs/settings.schema.json'), writeSettingsSchema())
