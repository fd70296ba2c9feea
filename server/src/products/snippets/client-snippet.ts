import type { Product } from '../product.ts'
import { SECRET_PLACEHOLDER, type Snippet, type SnippetPlace } from './snippet.ts'

const CALLBACK = '/auth/callback'

/** An app on `@portaria/client`. The service itself hands the package out while it is not on npm (docs/integrate.md). */
export function clientSnippet(
  { audience, publishableKey }: Pick<Product, 'audience' | 'publishableKey'>,
  redirectUri: string,
  { baseUrl }: Pick<SnippetPlace, 'baseUrl'>,
): Pick<Snippet, 'values' | 'files'> {
  const { origin, port } = new URL(redirectUri)
  const appUrl = redirectUri.endsWith(CALLBACK) ? redirectUri.slice(0, -CALLBACK.length) : origin
  const keys = audience === 'external' ? [`PORTARIA_PUBLISHABLE_KEY=${publishableKey}`, `PORTARIA_API_KEY=${SECRET_PLACEHOLDER}`] : []
  return {
    values: [],
    files: [
      { name: '.env', lines: [`PORTARIA_URL=${baseUrl}`, `PORTARIA_APP_URL=${appUrl}`, ...keys].join('\n') },
      { name: 'npm', lines: `npm install express ${baseUrl}/client/portaria-client.tgz` },
      { name: 'app.js', lines: expressApp(port === '' ? '3000' : port) },
    ],
  }
}

function expressApp(port: string): string {
  return `import { createPortaria } from '@portaria/client'
import { getUser, portariaRoutes, requireUser } from '@portaria/client/express'
import express from 'express'

const portaria = createPortaria()
const app = express()
app.use(portariaRoutes(portaria))
app.get('/', requireUser(portaria), (req, res) => {
  res.send(\`Hello, \${getUser(req).name}\`)
})
app.listen(${port})`
}
