// `npm run openapi`: writes docs/openapi.json, the API description, from the schemas of the routes.
import { writeFileSync } from 'node:fs'
import { describeApi } from '../server/test/support/routes/describe-api.ts'

writeFileSync(new URL('../docs/openapi.json', import.meta.url), await describeApi())
