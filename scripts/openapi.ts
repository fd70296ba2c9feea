// `npm run openapi`: writes docs/openapi.json, the API description, from the schemas of the routes, and docs/settings.schema.json, the form
// of a file of settings.
import { writeFileSync } from 'node:fs'
import { writeSettingsSchema } from '../server/src/admin/index.ts'
import { describeApi } from '../server/test/support/routes/describe-api.ts'

writeFileSync(new URL('../docs/openapi.json', import.meta.url), await describeApi())
writeFileSync(new URL('../docs/settings.schema.json', import.meta.url), writeSettingsSchema())
